import { eachAtOnce } from '../../runtime/chunks.ts';
import { nowMs } from '../../runtime/clock.ts';
import type { Dynamo } from '../../runtime/dynamo.ts';
import { queryRows } from '../io/read.ts';
import { type Adds, addChanges, NOTHING } from '../layout/contribution.ts';
import type { Keys, Row } from '../layout/keys.ts';
import { walk } from './walk.ts';

/** The counter, mask, page and search rows that a collection should have, computed from its records' contributions. */
export type Recount = {
  records: number;
  /** Attributes of counter, mask and page rows. */
  counters: Adds;
  /** First letter -> sort keys of the search rows. */
  words: Map<string, Set<string>>;
  /** Below this ordinal every record is older than an hour, so its search rows are not just being written. */
  settledBelow: number;
};

const SETTLED_MS = 3_600_000;

/** @param visit is called with the row of every record */
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

/** The stored counter, mask and page rows of the partitions in `expected`. */
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

const LETTERS = '!abcdefghijklmnopqrstuvwxyz0123456789';

/** The stored search rows by first character: those of the records' words and all Latin letters, digits and ranks. */
export async function* standingWords(dynamo: Dynamo, keys: Keys, expected: Recount) {
  for (const letter of new Set([...expected.words.keys(), ...LETTERS])) {
    const rows = await queryRows(dynamo, { pk: keys.wordsPartition(letter), all: true, consistent: true });
    yield { letter, stands: new Set(rows.map(({ sk }) => sk)) };
  }
}
