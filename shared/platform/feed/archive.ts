import { DAY_MS, inSeconds, nowMs } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import { Overtaken } from '../runtime/errors.ts';
import { retry } from '../runtime/retry.ts';
import { condition, defineRow, putWrite, rowKey } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import { putTimer } from '../timers/timers.ts';
import { followUp } from './audit.ts';
import { KEPT_SECONDS, moveTimer, padded, readHead, type Sheet, sheets } from './log.ts';

/** Neighbouring sheets in one object of the bucket. */
type Moved = {
  /** The number of the first change, and of the first change after these sheets. */
  first: number;
  next: number;
  key: string;
};

export const movedSheets = defineRow<Moved, Pick<Moved, 'first'>>({
  name: 'change-archive',
  about: 'sheets of the change log that are older than 400 days: their numbers and their object in the bucket',
  key: ({ first }) => ['all', padded(first)],
});

const ARCHIVE_PREFIX = 'changes/';

type Where = { table: Table; connections: Pick<Connections, 'bucket'> };

/**
 * Moves old sheets to the bucket, as many as one transaction takes, and sets the timer for the next. The last sheet of a
 * log stays, because it says which entries are numbered.
 */
export async function moveOldSheets(where: Where): Promise<void> {
  const { table } = where;
  await followUp(table); // a reader of this release has then seen what is moved
  const isMoved = await retry(() => moveSome(where));
  const [oldest] = await table.rows(sheets).query('all', { limit: 1, consistent: true });
  if (!oldest) return;
  const due = Date.parse(oldest.at) + KEPT_SECONDS * 1000;
  const later = nowMs() + (isMoved ? 1 : DAY_MS);
  await table.write(putTimer(moveTimer(table, Math.max(due, later))));
}

/** @returns whether there was something to move */
async function moveSome({ table, connections }: Where): Promise<boolean> {
  const old = await oldSheets(table);
  const [{ first } = { first: 0 }, last] = [old[0], old.at(-1)];
  if (!last) return false;
  const next = last.first + last.count;
  // the name depends on the content: a worker that moves another part cannot overwrite it
  const key = `${ARCHIVE_PREFIX}${table.organizationId}/${padded(first)}-${padded(next - 1)}.json`;
  await connections.bucket.put(key, JSON.stringify(old.map(asText)));
  const fail = () => new Overtaken();
  const batch = table.batch();
  batch.write(putWrite(table.tenant, movedSheets, { row: { first, next, key }, expect: 'absent', fail }));
  for (const { first, hash } of old)
    batch.write({ remove: rowKey(table.tenant, sheets, { first }), condition: condition({ hash }), fail });
  await batch.commit();
  return true;
}

/** A removal costs two units for each KB, and a partition takes 1,000 units a second. */
const MOVED_BYTES = 300_000;
const MOVED_SHEETS = 50;

async function oldSheets(table: Table): Promise<Sheet[]> {
  const { last } = await readHead(table);
  const oldest = await table.rows(sheets).query('all', { limit: MOVED_SHEETS, consistent: true });
  const end = inSeconds(-KEPT_SECONDS);
  let bytes = 0;
  const stays = oldest.findIndex(({ first, at, z }, n) => {
    bytes += z.length;
    return first === last || at > end || (n > 0 && bytes > MOVED_BYTES);
  });
  return stays < 0 ? oldest : oldest.slice(0, stays);
}

const asText = (sheet: Sheet) => ({ ...sheet, z: Buffer.from(sheet.z).toString('base64') });

/** The number before the oldest change that is in the table. */
export async function lastMoved(table: Table): Promise<number> {
  const [moved] = await table.rows(movedSheets).query('all', { backward: true, limit: 1, consistent: true });
  return moved ? moved.next - 1 : 0;
}

/** The moved sheets from this number on in the object of that number; none where the object does not exist. */
export async function readMoved({ table, connections }: Where, number: number): Promise<Sheet[]> {
  const between = { from: padded(0), to: padded(number) };
  const range = { between, backward: true, limit: 1, consistent: true };
  const [moved] = await table.rows(movedSheets).query('all', range);
  if (!moved || moved.next <= number) return [];
  const bytes = await connections.bucket.get(moved.key);
  return bytes ? parsed(bytes).filter(({ first }) => first >= number) : [];
}

/** An object that somebody damaged holds no sheets. */
function parsed(bytes: Uint8Array): Sheet[] {
  try {
    const all: ReturnType<typeof asText>[] = JSON.parse(Buffer.from(bytes).toString());
    return all.map((sheet) => ({ ...sheet, z: Buffer.from(sheet.z, 'base64') }));
  } catch {
    return [];
  }
}
