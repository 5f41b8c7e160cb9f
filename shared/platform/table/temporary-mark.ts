import { inSeconds } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import type { Entity } from './entity.ts';
import { writeRows } from './io/commit.ts';
import { getRows } from './io/read.ts';
import { ttlOf } from './io/row.ts';
import { type Key, keysOf, type Row } from './layout/keys.ts';
import { valueMark } from './layout/marks.ts';
import { markBit } from './layout/positions.ts';

type Place = { dynamo: Dynamo; tenant: string };
type Marking = { name: string; value: string; ordinals: readonly number[]; seconds: number };

/**
 * Marks records with a value that they do not declare, so that lists, counts and exports select them by it until the rows of the
 * mark expire. Only one writer marks records with a value. The mark stays when a record is deleted.
 */
export async function markTemporarily(
  { dynamo, tenant }: Place,
  entity: Pick<Entity, 'name' | 'shards'>,
  { name, value, ordinals, seconds }: Marking,
): Promise<void> {
  const keys = keysOf(tenant, entity);
  const ttl = ttlOf(inSeconds(seconds));
  const placed = ordinals.map((ordinal) => ({ ...markBit(ordinal), key: keys.mark(valueMark(name, value), ordinal) }));
  const touched = new Map<string, Key>(placed.map(({ key }) => [key.sk, key]));
  const known = await getRows(dynamo, [...touched.values()], true);
  const rows = new Map<string, Row>([...touched, ...known.map((row) => [row.sk, row] as const)]);
  for (const { key, name: group, bit } of placed) {
    const row = rows.get(key.sk) ?? key;
    const bits = BigInt((Reflect.get(row, group) as number | bigint | undefined) ?? 0);
    rows.set(key.sk, { ...row, ttl, [group]: bits | bit });
  }
  await writeRows(dynamo, { put: [...rows.values()] });
}
