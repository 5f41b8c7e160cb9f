import { forgetCredential, removeCredential } from '../auth/credential.ts';
import { scanners } from '../entities/scanner.ts';
import { now } from '../runtime/clock.ts';
import { retry } from '../runtime/retry.ts';
import type { Table } from '../table/table.ts';
import { giveBackLeases } from './give-back.ts';
import { presences } from './presence.ts';
import { removeWrites } from './session.ts';

const REMOVED = { code: 'scanner_removed', message: 'Its scanner was removed while the task ran.' };

/** Its credential goes first, so that it takes nothing more; then what it holds returns; then the record goes. */
export async function deleteScanner(table: Table, id: string): Promise<{ id: string; deletedAt: string }> {
  await table.get(scanners, id);
  const where = { organizationId: table.organizationId, id };
  const revoke = table.batch();
  revoke.write(removeCredential(where));
  await revoke.commit();
  forgetCredential(table.dynamo, where);
  await retry(() => removeNow(table, id));
  return { id, deletedAt: now() };
}

async function removeNow(table: Table, id: string): Promise<void> {
  const standing = await table.rows(presences).find({ scannerId: id }, true);
  const presence = standing && (await giveBackLeases(table, standing, { isEnding: () => true, error: REMOVED }));
  const scanner = await table.find(scanners, id, true);
  if (!scanner) return;
  const batch = table.batch();
  batch.delete(scanners, scanner);
  // Once more: the scanner may have linked itself again meanwhile.
  batch.write(removeCredential({ organizationId: table.organizationId, id }));
  if (presence) batch.write(...removeWrites(table, presence));
  await batch.commit();
}
