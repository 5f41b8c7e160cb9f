import * as z from 'zod';
import { Deletion, Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';

/** The choice for the credentials of an account that ends. */
export const Revocation = z.object({
  revoke: z
    .enum(['all', 'none'])
    .default('all')
    .meta({ description: 'which credentials of the account are revoked with it' }),
  handOverTo: z.string().min(1).max(120).optional().meta({
    description: 'an active user or service account, or a team, who gets what the account has to do, owns and leads',
  }),
});

const Made = objectNamed('MadeCredential', {
  id: Id,
  name: z.string().nullable(),
  revokedAt: Timestamp.nullable().meta({ description: 'null: it still works' }),
});

/** The end of an account, with the credentials that the account made. */
export const AccountDeletion = Deletion.extend({
  made: z.object({
    apiKeys: z.array(Made),
    linkTokens: z.array(Made),
    serviceAccounts: z.array(Made),
    calendarFeed: z.boolean().meta({ description: 'whether the account had a calendar feed, which has ended' }),
  }),
  remaining: z
    .int()
    .nonnegative()
    .meta({ description: 'credentials of the account that `made` does not name (it names at most 500 of each kind)' }),
  handOverTaskId: Id.nullable().meta({
    description:
      'the task that hands over; its `result` is that of `POST /api/v1/teams/{id}/hand-over`; null without `handOverTo`',
  }),
}).meta({ id: 'AccountDeletion' });
