import type { Dynamo } from './client.ts';
import type { Row } from './commit.ts';
import { type Key, type Keys, ordinalOfWord, wordIn } from './keys.ts';
import { getRow } from './read.ts';
import { contributionIn } from './record.ts';
import { type Recount, standingWords } from './recount.ts';
import type { Difference } from './verify.ts';

/** `record` is what the row must still be found to belong to when it is repaired; undefined: no record is there. */
export type WordDifference = Difference & { record: Row | undefined };

/** Search rows that lack, and those that no record has. Each is looked at once more, beside its record. */
export async function wordDifferences(dynamo: Dynamo, keys: Keys, expected: Recount) {
  const settled: WordDifference[] = [];
  let unsettled = 0;
  for await (const { letter, stands } of standingWords(dynamo, keys, expected)) {
    const pk = keys.wordsPartition(letter);
    const wanted = expected.words.get(letter) ?? new Set();
    for (const sk of [...stands, ...wanted].filter((one) => !stands.has(one) || !wanted.has(one))) {
      const difference = await wordDifference(dynamo, keys, { pk, sk });
      if (!difference) continue;
      if (isPending(difference, expected)) unsettled++;
      else settled.push(difference);
    }
  }
  return { settled, unsettled };
}

/** A batch writes its search rows shortly before its records. */
const isPending = ({ record, sk }: WordDifference, { settledBelow }: Recount): boolean =>
  !record && ordinalOfWord(sk) >= settledBelow;

async function wordDifference(dynamo: Dynamo, keys: Keys, key: Key): Promise<WordDifference | undefined> {
  const [record, row] = await Promise.all([
    getRow(dynamo, keys.record(ordinalOfWord(key.sk)), true),
    getRow(dynamo, key, true),
  ]);
  const word = wordIn(key.sk);
  const wanted = record !== undefined && contributionIn(record).words.includes(word);
  if (wanted === (row !== undefined)) return undefined;
  const [stands, expected] = row ? [word, null] : [null, word];
  return { ...key, kind: 'word', stands, expected, repaired: false, record };
}
