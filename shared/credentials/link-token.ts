import * as z from 'zod';
import { MACHINE_KINDS } from '#shared/platform/auth/permissions.ts';
import { Id, objectNamed, readOnly, recordFields, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { madeAndCurrent } from './credential-status.ts';

const LINK_TOKEN_STATUSES = ['active', 'used_up', 'expired', 'revoked'] as const;

/** A token that a machine presents once to get its own credential. */
export const LinkToken = objectNamed('LinkToken', {
  ...recordFields,
  kind: z.enum(MACHINE_KINDS).meta({ example: 'scanner' }),
  name: trimmedText(120).nullable().default(null).meta({ example: 'scanners of the office' }),
  maxUses: z.int().min(1).max(10_000).default(1),
  expiresAt: Timestamp.meta({ description: 'by default a day after the creation; at most a year' }),
  zone: trimmedText(120).nullable().default(null).meta({ description: 'replaces the zone that the machine names' }),
  group: Id.nullable()
    .default(null)
    .meta({ description: 'the group, or the pool of the provider, that machines linked with the token join' }),
  uses: readOnly(z.int().nonnegative()),
  status: readOnly(z.enum(LINK_TOKEN_STATUSES)),
  revokedAt: readOnly(Timestamp.nullable()),
});
export type LinkToken = z.infer<typeof LinkToken>;

export const linkTokens = defineEntity(LinkToken, {
  name: 'link-token',
  feedFields: ['kind', 'name', 'maxUses', 'uses', 'expiresAt', 'zone', 'group', 'status', 'revokedAt'],
  indexed: madeAndCurrent,
});
