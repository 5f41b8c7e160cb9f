import { eachAtOnce } from '../../runtime/chunks.ts';
import { getRows, queryAnswers } from '../io/read.ts';
import { typed } from '../io/typed.ts';
import { type Adds, addChanges, addMarks, NOTHING } from '../layout/contribution.ts';
import { digitRows } from '../layout/digits.ts';
import { type Keys, ordinalIn, type Row } from '../layout/keys.ts';
import { type Layout, readMask } from '../layout/positions.ts';
import { contributionIn } from '../layout/record.ts';
import { blockOfRow, layoutIn } from './recount.ts';
import { byKey, compare, idOf, isEmpty, lookAgain, recountAround, type Settled, type Verified } from './verify-rows.ts';
import { RANGE } from './walk.ts';

type Seen = {
  /** The number of existing rows that belong to records, by partition. */
  current: ReadonlyMap<string, number>;
  /** Rows that were found to differ. */
  reported: ReadonlySet<string>;
};

/**
 * Mask and index rows without a record, in partitions where other rows are right. When a partition has more rows than
 * the records' contributions name, it is read again, and each row is looked up in a record that it names.
 */
export async function verifyStrays(of: Verified, { current, reported }: Seen): Promise<Settled> {
  const total: Settled = { settled: [], unsettled: 0 };
  const found = await eachAtOnce([...current], 8, async ([pk, count]) =>
    (await rowsIn(of, pk)) === count ? [] : straysIn(of, pk),
  );
  const fresh = found.flat().filter(({ row }) => !reported.has(idOf(row)));
  const byRange = Map.groupBy(fresh, ({ from }) => from);
  for (const [from, strays] of byRange) {
    const first = compare(new Map(), byKey(strays.map(({ row }) => row)));
    const { settled, unsettled } = await lookAgain(of, first, () => recountAround(of, { from, before: from + RANGE }));
    total.settled.push(...settled);
    total.unsettled += unsettled;
  }
  return total;
}

async function rowsIn({ dynamo }: Verified, pk: string): Promise<number> {
  let count = 0;
  for await (const rows of queryAnswers(dynamo, { pk, all: true, consistent: true }))
    count += rows.filter((row) => !isEmpty(row)).length;
  return count;
}

/** A row and the first ordinal of the range that its block is in. */
type Stray = { row: Row; from: number };

async function straysIn({ dynamo, keys, lists }: Verified, pk: string): Promise<Stray[]> {
  const layout = layoutIn(keys, lists, pk);
  if (!layout) return [];
  const strays: Stray[] = [];
  for await (const answer of queryAnswers(dynamo, { pk, all: true, consistent: true })) {
    const rows = answer.filter((row) => !isEmpty(row));
    const ordinals = new Set(rows.flatMap((row) => ordinalOfRow(layout, row) ?? []));
    const records = await getRows(dynamo, [...ordinals].map(keys.record), true);
    const known = new Set(records.flatMap((record) => rowsOf(keys, record)));
    const unknown = rows.filter(({ sk }) => !known.has(`${pk}\n${sk}`));
    strays.push(...unknown.map((row) => ({ row, from: rangeOf(blockOfRow(row) * layout.span) })));
  }
  return strays;
}

const rangeOf = (ordinal: number): number => Math.floor(ordinal / RANGE) * RANGE;

/** One of the records that a row names. */
const ordinalOfRow = (layout: Layout, row: Row): number | undefined =>
  digitRows(Buffer.from(JSON.stringify([typed(row)])))
    .flatMap((digits) => readMask(layout, blockOfRow(row), digits, () => true))
    .at(0);

/** Every row to which a record contributes. */
function rowsOf(keys: Keys, record: Row): string[] {
  const [adds, contribution]: [Adds, ReturnType<typeof contributionIn>] = [new Map(), contributionIn(record)];
  const place = { keys, ordinal: ordinalIn(record.sk) };
  addChanges(adds, place, { from: NOTHING, to: contribution });
  addMarks(adds, place, { set: contribution.marks, clear: [] });
  return [...adds.keys()];
}
