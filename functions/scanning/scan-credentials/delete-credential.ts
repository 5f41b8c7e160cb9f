import { removeSecret } from '#shared/credentials/sealed.ts';
import type { Deletion } from '#shared/platform/http/records.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import { condition, rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagementStates, engagements } from '#shared/scanning/engagements/engagement.ts';
import { scanCredentials } from '#shared/scanning/scan-credentials/scan-credential.ts';
import { credentialUses } from '#shared/scanning/scan-credentials/uses.ts';

/** Rows of uses that the deletion removes; nothing reads the rest any more. */
const MAX_USES = 80;

/** @throws conflict with the engagements that use it */
export async function deleteCredential(table: Table, id: string): Promise<Deletion> {
  const credential = await table.get(scanCredentials, id, true);
  const uses = await table.rows(credentialUses).query(id, { consistent: true });
  const used = uses.flatMap(({ engagementId }) => engagementId ?? []);
  const current = await table.findMany(engagements, used);
  const users = current.filter(({ status }) => !isFinal(engagementStates, status));
  if (users.length > 0)
    throw conflict(
      'Engagements that have not ended use this credential.',
      users.map((user) => ({ path: 'credentialIds', message: `engagement ${user.id}: ${user.title}` })),
    );
  const batch = table.batch();
  batch.delete(scanCredentials, credential);
  const key = (engagementId?: string) => rowKey(table.tenant, credentialUses, { credentialId: id, engagementId });
  const rev = uses.find(({ engagementId }) => engagementId === undefined)?.rev;
  const fail = () => conflict('An engagement began to use this credential just now.');
  batch.write({ remove: key(), condition: condition({ rev }), fail });
  batch.write(removeSecret(table, id));
  for (const engagementId of used.slice(0, MAX_USES)) batch.write({ remove: key(engagementId) });
  await batch.commit();
  return { id, deletedAt: now() };
}
