import { countedIn } from '#shared/platform/table/cells.ts';
import { combinedBits, type Marked } from '#shared/platform/table/combined.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { both, countOf } from '#shared/platform/table/layout/bits.ts';
import { seenIn } from '#shared/platform/table/part.ts';
import type { Table } from '#shared/platform/table/table.ts';

type Sets = Readonly<Record<string, Marked>>;

/**
 * Counts the records that a caller with a part of the organization sees, because counters count all records: `of` those with
 * some values of dimensions, `ofSome` those that are `some` too, `inSet` those in each of the sets. The part is read once.
 */
export async function seenCounts<T extends Stored, D extends keyof T>(
  { dynamo, tenant, part }: Table,
  entity: Entity<T, D>,
  { sets, some, within = 'everything' }: { sets: Sets; some?: Marked; within?: Marked },
) {
  const place = { dynamo, tenant, entity };
  const seen = combinedBits(place, { all: [seenIn(entity, part), within] });
  const each = Object.entries(sets).map(
    async ([name, marked]) => [name, countOf(both(await seen, await combinedBits(place, marked)))] as const,
  );
  const counting = Promise.all([seen, some && combinedBits(place, some)]);
  const [counted, counts] = await Promise.all([counting.then((bits) => countedIn(place, ...bits)), Promise.all(each)]);
  const known = new Map(counts);
  return { ...counted, inSet: (name: string): number => known.get(name) ?? 0 };
}
