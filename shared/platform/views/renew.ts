import { chunksOf } from '../runtime/chunks.ts';
import { retry } from '../runtime/retry.ts';
import { batchOfMany } from '../table/many.ts';
import { wholeRecordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import type { View } from './view.ts';
import { isOvertaken, writeTarget } from './write-target.ts';

const AT_ONCE = 24;

/**
 * Updates targets after a change of the records that `apply` reads beside the facts. Writes only targets that change.
 * @returns how many changed
 */
export async function renew(table: Table, view: View, ordinals: readonly number[]): Promise<number> {
  let changed = 0;
  for (const part of chunksOf(ordinals, AT_ONCE))
    changed += await retry(() => renewSome(table, view, part), isOvertaken);
  if (view.target.journal) await table.workJournal(view.target);
  return changed;
}

async function renewSome(table: Table, view: View, ordinals: readonly number[]): Promise<number> {
  const records = await wholeRecordsAt(table, view.target, { ordinals, consistent: true });
  await view.prepare?.(table, { moves: [], current: records });
  let changed = 0;
  for (let left: readonly (typeof records)[number][] = records; left.length > 0; ) {
    let moved = 0;
    const made = await batchOfMany(
      () => table.batch(true),
      left,
      (batch, some) => {
        const after = some.map((record) => {
          const key = String(view.target.unique(record)[view.field]);
          return writeTarget({ table, view, batch }, record, { key, added: [], removed: [] });
        });
        moved = after.filter((record, n) => record !== some[n]).length;
      },
    );
    if (made.batch.size() > 0) await made.batch.commit();
    changed += moved;
    left = made.left;
  }
  return changed;
}
