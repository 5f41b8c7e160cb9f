import { chunksOf } from '../../runtime/chunks.ts';
import type { Dynamo } from '../../runtime/dynamo.ts';
import { getRow, getRows } from '../io/read.ts';
import type { Key, Row } from '../layout/keys.ts';
import type { UniqueDifference } from './difference.ts';

/** The key of a unique value and the record that has the value. */
export type Claim = Key & { record: Row };

/** Unique values whose row is missing or names another record. A person must decide on the latter; no repair does. */
export async function uniqueDifferences(dynamo: Dynamo, claims: Claim[]): Promise<UniqueDifference[]> {
  const differences: UniqueDifference[] = [];
  for (const group of chunksOf(claims, 100)) {
    const distinct = [...new Map(group.map(({ pk, sk }) => [pk, { pk, sk }])).values()];
    const rows = new Map((await getRows(dynamo, distinct, true)).map((row) => [row.pk, row]));
    for (const claim of group) {
      if (rows.get(claim.pk)?.id === claim.record.id) continue;
      const difference = await uniqueDifference(dynamo, claim);
      if (difference) differences.push(difference);
    }
  }
  return differences;
}

async function uniqueDifference(dynamo: Dynamo, { pk, sk, record }: Claim): Promise<UniqueDifference | undefined> {
  const [now, row] = await Promise.all([getRow(dynamo, record, true), getRow(dynamo, { pk, sk }, true)]);
  const id = String(record.id);
  if (now?.version !== record.version || row?.id === id) return undefined;
  return { pk, sk, kind: 'unique', stands: row ? String(row.id) : null, expected: id, repaired: false, record };
}
