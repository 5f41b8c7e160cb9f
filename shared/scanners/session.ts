import { type Scanner, scanners } from '../entities/scanner.ts';
import { nextTimer } from '../machines/leases.ts';
import { type PresenceChange, type Presences, presenceRemoval, savePresenceOf } from '../machines/session.ts';
import { retry } from '../runtime/retry.ts';
import type { Batch } from '../table/batch.ts';
import type { Write } from '../table/io/commit.ts';
import type { Table } from '../table/table.ts';
import { newPresence, type Presence, presences } from './presence.ts';

const scannerPresences: Presences<Presence> = {
  kind: 'scanner',
  rows: presences,
  idOf: ({ scannerId }) => scannerId,
  nextTimer,
};

/** The presence as it stands, made from the scanner's record where there is none yet. */
export async function readPresence(table: Table, scannerId: string): Promise<Presence | undefined> {
  const standing = await table.rows(presences).find({ scannerId }, true);
  if (standing) return standing;
  const scanner = await table.find(scanners, scannerId, true);
  return scanner && newPresence(scanner);
}

/**
 * Writes a presence, its timer, and what is in the batch, all or nothing.
 * @throws PresenceMoved
 */
export const savePresence = (table: Table, change: PresenceChange<Presence>): Promise<Presence> =>
  savePresenceOf(scannerPresences, table, change);

/** The writes that remove a presence, if it is still as it was read. */
export const removeWrites = (table: Table, presence: Presence): Write[] =>
  presenceRemoval(scannerPresences, table, presence);

/** Changes a scanner's record and what its polls read of it, together. */
export function changeScanner(
  batch: Batch,
  table: Table,
  { scanner, changes }: { scanner: Scanner; changes: Partial<Scanner> },
) {
  return batch.update(scanners, scanner, table.changed(scanner, changes));
}

/** The scanner's record was changed without its presence (it was linked again): its next poll reads the record. */
export const markStale = (table: Table, scannerId: string): Promise<void> =>
  retry(async () => {
    const before = await table.rows(presences).find({ scannerId }, true);
    if (before) await savePresence(table, { before, after: { ...before, stale: true } });
  });
