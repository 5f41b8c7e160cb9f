import { chunksOf } from '../../runtime/chunks.ts';
import type { Dynamo } from '../../runtime/dynamo.ts';
import { getRow, getRows } from '../io/read.ts';
import type { Row } from '../layout/keys.ts';
import type { UniqueDifference } from './difference.ts';

/** The row that a unique value should have, and the record that has the value. */
export type Claim = { expected: Row; record: Row };

/**
 * Unique values whose row is missing or names another record. Only a person can decide a row that names another record;
 * no repair does.
 */
export async function uniqueDifferences(dynamo: Dynamo, claims: Claim[]): Promise<UniqueDifference[]> {
  const differences: UniqueDifference[] = [];
  for (const group of chunksOf(claims, 100)) {
    const distinct = [...new Map(group.map(({ expected: { pk, sk } }) => [pk, { pk, sk }])).values()];
    const rows = new Map((await getRows(dynamo, distinct, true)).map((row) => [row.pk, row]));
    for (const claim of group) {
      if (isRight(rows.get(claim.expected.pk), claim)) continue;
      const difference = await uniqueDifference(dynamo, claim);
      if (difference) differences.push(difference);
    }
  }
  return differences;
}

const isRight = (row: Row | undefined, { expected }: Claim): boolean =>
  row?.id === expected.id && row?.several === expected.several;

async function uniqueDifference(dynamo: Dynamo, claim: Claim): Promise<UniqueDifference | undefined> {
  const { expected, record } = claim;
  const { pk, sk, id } = expected;
  const [now, row] = await Promise.all([getRow(dynamo, record, true), getRow(dynamo, { pk, sk }, true)]);
  if (now?.version !== record.version || isRight(row, claim)) return undefined;
  const ids = { stands: row ? String(row.id) : null, expected: String(id) };
  return { pk, sk, kind: 'unique', ...ids, repaired: false, record, row: expected };
}
