import { type Scanner, scanners } from '../entities/scanner.ts';
import { conflict } from '../http/errors.ts';
import type { Batch } from '../table/batch.ts';
import type { Write } from '../table/commit.ts';
import { condition, putWrite, rowKey } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import { putAlarm, removeAlarm } from './alarms.ts';
import { newPresence, nextAlarm, type Presence, presences } from './presence.ts';

/** The presence was changed since it was read: by another poll, the sweeper, or an operator. */
export class PresenceMoved extends Error {}

/** The presence as it stands, made from the scanner's record where there is none yet. */
export async function readPresence(table: Table, scannerId: string): Promise<Presence | undefined> {
  const standing = await table.rows(presences).find({ scannerId }, true);
  if (standing) return standing;
  const scanner = await table.find(scanners, scannerId, true);
  return scanner && newPresence(scanner);
}

/**
 * Writes a presence that was read as `before`, its alarm, and what is in the batch, all or nothing. Alone it is one
 * plain write.
 * @throws PresenceMoved
 */
export async function savePresence(
  table: Table,
  { before, after, batch = table.batch() }: { before: Presence; after: Presence; batch?: Batch },
): Promise<Presence> {
  const row = { ...after, rev: before.rev + 1, alarmAt: nextAlarm(after) };
  const expect = before.rev === 0 ? ('absent' as const) : { rev: before.rev };
  if (batch.size() === 0 && row.alarmAt === before.alarmAt) {
    if (!(await table.rows(presences).put(row, expect))) throw new PresenceMoved();
    return row;
  }
  const alarm = (at: number) => alarmOf(table, row.scannerId, at);
  batch.write(putWrite(table.scope, presences, { row, expect, fail: () => new PresenceMoved() }));
  if (row.alarmAt !== before.alarmAt) {
    if (before.alarmAt !== 0) batch.write(removeAlarm(alarm(before.alarmAt)));
    if (row.alarmAt !== 0) batch.write(putAlarm(alarm(row.alarmAt)));
  }
  await batch.commit();
  return row;
}

const alarmOf = (table: Table, id: string, at: number) =>
  ({ at, kind: 'scanner', organizationId: table.organizationId, id }) as const;

/** The writes that remove a presence, if it is still as it was read. */
export function removeWrites(table: Table, presence: Presence): Write[] {
  const { scannerId, rev, alarmAt } = presence;
  const fail = () => new PresenceMoved();
  const remove = { remove: rowKey(table.scope, presences, { scannerId }), condition: condition({ rev }), fail };
  return alarmAt === 0 ? [remove] : [remove, removeAlarm(alarmOf(table, scannerId, alarmAt))];
}

/** Tries again, with what is read anew, when the presence or a record changed in between. */
export async function whileMoving<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isMoved(error)) throw error;
      if (attempt === 10) throw conflict('Too much happened to this scanner at once. Try again shortly.');
    }
  }
}

export const isMoved = (error: unknown): boolean =>
  error instanceof PresenceMoved || (error instanceof Error && 'code' in error && error.code === 'conflict');

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
  whileMoving(async () => {
    const before = await table.rows(presences).find({ scannerId }, true);
    if (before) await savePresence(table, { before, after: { ...before, stale: true } });
  });
