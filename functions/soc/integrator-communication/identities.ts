import * as z from 'zod';
import { IdentityFields, identities } from '#shared/assets/identity/identity.ts';
import { keepReported, lastOfEach, reportedKey } from '#shared/code/integrations/reported-records.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { answerEach, checkEach, usable } from './batch.ts';
import type { IdentityBatchAnswer } from './routes.ts';

/** An account of a directory. Fields that are absent are unknown. */
const IntegratorIdentity = objectNamed('IntegratorIdentity', {
  externalId: z.string().min(1).max(300).meta({
    description:
      'the id of the account in its directory, such as an object id or SID; an account that is sent again is the same record',
  }),
  ...IdentityFields.shape,
});

/** Keeps the usable identities of a batch. */
export async function takeIdentities(
  table: Table,
  integratorId: string,
  batch: readonly unknown[],
): Promise<IdentityBatchAnswer> {
  const checked = checkEach(IntegratorIdentity, batch);
  const firstSeenAt = now();
  const reported = lastOfEach(usable(checked)).map((one) => ({
    ...one,
    integratorId,
    firstSeenAt,
    key: reportedKey(integratorId, one.externalId),
  }));
  const taken = await keepReported(table, { entity: identities }, reported);
  return { results: answerEach(checked, ({ externalId }) => taken.get(externalId)) };
}
