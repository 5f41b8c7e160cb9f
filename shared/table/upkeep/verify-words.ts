import type { Dynamo } from '../../runtime/dynamo.ts';
import { getRow } from '../io/read.ts';
import { type Key, type Keys, ordinalOfWord, wordIn } from '../layout/keys.ts';
import { contributionIn } from '../layout/record.ts';
import type { WordDifference } from './difference.ts';
import { type Recount, standingWords } from './recount.ts';

/** Missing and orphaned search rows. Each is read once more together with its record. */
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
