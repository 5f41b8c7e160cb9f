import type { Dynamo } from '../runtime/dynamo.ts';
import type { Entity, Stored } from './entity.ts';
import { getRows, queryRows } from './io/read.ts';
import { keysOf, type Row, readTallyKey, tallyValue } from './layout/keys.ts';

export type Counts = Record<string, number>;
export type TallyCount = { value: string | null; counts: Counts };

type Source<T extends Stored, D extends keyof T> = { dynamo: Dynamo; tenant: string; entity: Entity<T, D> };

type Collection = { dynamo: Dynamo; tenant: string; entity: Pick<Entity, 'name' | 'shards'> };

/** All facets of a collection that has a partition for them: one small read. */
export async function readFacets({ dynamo, tenant, entity }: Collection, consistent = false): Promise<Counts> {
  const { pk, prefix } = keysOf(tenant, entity).facetsPartition;
  return addUp(await queryRows(dynamo, { pk, prefix, consistent }));
}

/** The tallies of a facet in order of value, `from` and `to` included. Values with only zeros are left out. */
export async function readTallies(
  source: Collection,
  facet: string,
  between?: { from: string; to: string },
): Promise<TallyCount[]> {
  const pk = keysOf(source.tenant, source.entity).tallies(facet);
  const range = between && { from: tallyValue(between.from), to: `${tallyValue(between.to)}$` };
  const rows = await queryRows(source.dynamo, { pk, ...(range ?? { all: true as const }) });
  const byValue = Map.groupBy(rows, ({ sk }) => readTallyKey(sk));
  return [...byValue]
    .map(([value, shards]) => ({ value, counts: addUp(shards) }))
    .filter(({ counts }) => Object.values(counts).some((amount) => amount !== 0))
    .sort((a, b) => byText(tallyValue(a.value), tallyValue(b.value)));
}

/** The tally of one value. */
export async function readTally<T extends Stored, D extends keyof T>(
  source: Source<T, D>,
  facet: string,
  { value, consistent }: { value: string | null; consistent: boolean },
): Promise<Counts> {
  return addUp(await getRows(source.dynamo, keysOf(source.tenant, source.entity).tallyRows(facet, value), consistent));
}

/** The tallies of several values of a facet, by value, in one round trip. */
export async function readTalliesOf(
  { dynamo, tenant, entity }: Collection,
  facet: string,
  values: readonly string[],
): Promise<Map<string | null, Counts>> {
  const keys = keysOf(tenant, entity);
  const rows = await getRows(
    dynamo,
    values.flatMap((value) => keys.tallyRows(facet, value)),
    false,
  );
  const byValue = Map.groupBy(rows, ({ sk }) => readTallyKey(sk));
  return new Map([...byValue].map(([value, shards]) => [value, addUp(shards)]));
}

/** The order of sort keys without the suffix of their shard. */
const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export function addUp(shards: readonly Row[]): Counts {
  const sums: Counts = {};
  for (const { pk: _pk, sk: _sk, ...counts } of shards)
    for (const [name, amount] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + Number(amount);
  return sums;
}
