import { eachAtOnce } from '../../runtime/chunks.ts';
import { nowMs } from '../../runtime/clock.ts';
import type { Dynamo } from '../../runtime/dynamo.ts';
import { queryRows } from '../io/read.ts';
import { type Adds, addChanges, addMarks, NOTHING } from '../layout/contribution.ts';
import type { Keys, Row } from '../layout/keys.ts';
import { walk } from './walk.ts';

/** The counter, mask, page, index and rank rows that a collection should have, from what its records contribute. */
export type Recount = {
  records: number;
  /** Attributes of counter, mask and page rows. */
  counters: Adds;
  /** Sort keys of the rank rows. */
  ranks: Set<string>;
  /** Every rank row of a record below this ordinal has stood for an hour, if its record is there. */
  settledBelow: number;
};

const SETTLED_MS = 3_600_000;

/** @param visit is called with the row of every record */
export async function recount(dynamo: Dynamo, keys: Keys, visit: (row: Row) => void = () => {}): Promise<Recount> {
  const settled = nowMs() - SETTLED_MS;
  const result: Recount = { records: 0, counters: new Map(), ranks: new Set(), settledBelow: 0 };
  for await (const { row, ordinal, contribution } of walk(dynamo, keys)) {
    result.records++;
    const place = { keys, ordinal };
    addChanges(result.counters, place, { from: NOTHING, to: contribution });
    addMarks(result.counters, place, { set: contribution.marks, clear: [] });
    for (const rank of contribution.ranks) result.ranks.add(keys.rank(rank, ordinal).sk);
    visit(row);
    if (Date.parse(String(row.createdAt)) < settled) result.settledBelow = ordinal;
  }
  return result;
}

/** The rows that count a collection as they stand: all in the partitions of `expected`. */
export async function standingCounters(dynamo: Dynamo, keys: Keys, expected: Recount): Promise<Map<string, Row>> {
  const { pk: own } = keys.facetsPartition;
  const partitions = new Set([
    own,
    keys.masks('', 0, 0).pk,
    ...[...expected.counters.values()].map(({ key }) => key.pk),
  ]);
  const standing = new Map<string, Row>();
  const found = await eachAtOnce([...partitions], 8, (pk) => queryRows(dynamo, { pk, all: true, consistent: true }));
  for (const row of found.flat()) if (row.sk !== keys.ordinals().sk) standing.set(`${row.pk}\n${row.sk}`, row);
  return standing;
}
