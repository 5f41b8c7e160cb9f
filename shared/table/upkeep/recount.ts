import { nowMs } from '../../runtime/clock.ts';
import type { Dynamo } from '../../runtime/dynamo.ts';
import { queryRows } from '../io/read.ts';
import { type Adds, addChanges, NOTHING } from '../layout/contribution.ts';
import type { Keys, Row } from '../layout/keys.ts';
import { walk } from './walk.ts';

/** What the counter, mask, page and search rows of a collection should be, from what its records contribute. */
export type Recount = {
  records: number;
  /** Attributes per row that counts. */
  counters: Adds;
  /** First letter -> sort keys of the search rows. */
  words: Map<string, Set<string>>;
  /** Every search row of a record below this ordinal has stood for an hour, if its record is there. */
  settledBelow: number;
};

const SETTLED_MS = 3_600_000;

/** @param visit is shown every record on the way */
export async function recount(dynamo: Dynamo, keys: Keys, visit: (row: Row) => void = () => {}): Promise<Recount> {
  const settled = nowMs() - SETTLED_MS;
  const result: Recount = { records: 0, counters: new Map(), words: new Map(), settledBelow: 0 };
  for await (const { row, ordinal, contribution } of walk(dynamo, keys)) {
    result.records++;
    addChanges(result.counters, { keys, ordinal }, { from: NOTHING, to: contribution });
    for (const word of contribution.words) addWord(result.words, keys.word(word, ordinal).sk);
    visit(row);
    if (Date.parse(String(row.createdAt)) < settled) result.settledBelow = ordinal;
  }
  return result;
}

function addWord(words: Recount['words'], sk: string): void {
  const [letter = ''] = sk;
  const known = words.get(letter) ?? new Set();
  words.set(letter, known.add(sk));
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
  for (const group of chunks([...partitions], 8)) {
    const found = await Promise.all(group.map((pk) => queryRows(dynamo, { pk, all: true, consistent: true })));
    for (const row of found.flat()) if (row.sk !== keys.ordinals().sk) standing.set(`${row.pk}\n${row.sk}`, row);
  }
  return standing;
}

const LETTERS = '!abcdefghijklmnopqrstuvwxyz0123456789';

/** Search rows that stand, by first letter: those of the records' words, ranks, all Latin letters and digits. */
export async function* standingWords(dynamo: Dynamo, keys: Keys, expected: Recount) {
  for (const letter of new Set([...expected.words.keys(), ...LETTERS])) {
    const rows = await queryRows(dynamo, { pk: keys.wordsPartition(letter), all: true, consistent: true });
    yield { letter, stands: new Set(rows.map(({ sk }) => sk)) };
  }
}

export const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, n * size + size));
