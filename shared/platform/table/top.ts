import type { Dynamo } from '../runtime/dynamo.ts';
import type { Entity, ListItem, Stored } from './entity.ts';
import { queryRows } from './io/read.ts';
import { keysOf, rankTextIn } from './layout/keys.ts';
import { prefixOf, rankIn } from './layout/ranks.ts';
import { listItemOf } from './layout/record.ts';
import { rowsAt } from './list.ts';
import { orderedPositions } from './ordered.ts';

type Source<T extends Stored, D extends keyof T> = { dynamo: Dynamo; tenant: string; entity: Entity<T, D> };

/** The first `n` records of a declared order, among those with a place in it. Two round trips. */
export async function topRecords<T extends Stored, D extends keyof T>(
  { dynamo, tenant, entity }: Source<T, D>,
  { by, n }: { by: string; n: number },
): Promise<ListItem<T, D>[]> {
  const keys = keysOf(tenant, entity);
  const ordinals = await orderedPositions(dynamo, keys, { by, paginateFrom: 0, paginateSize: n });
  return (await rowsAt(dynamo, keys, ordinals)).map((row) => listItemOf<T, D>(row));
}

/** The highest number of a rank, read only from its row: half a read unit. */
export async function highestRank<T extends Stored, D extends keyof T>(
  { dynamo, tenant, entity }: Source<T, D>,
  rank: string,
): Promise<number | undefined> {
  const [first] = await queryRows(dynamo, { ...keysOf(tenant, entity).ranks(prefixOf(rank)), limit: 1 });
  return first && rankIn(rank, rankTextIn(first.sk));
}
