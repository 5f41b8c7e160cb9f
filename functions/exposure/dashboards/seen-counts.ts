import { countedIn } from '#shared/platform/table/cells.ts';
import { combinedBits, type Marked } from '#shared/platform/table/combined.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { both, countOf } from '#shared/platform/table/layout/bits.ts';
import { seenIn } from '#shared/platform/table/part.ts';
import type { Table } from '#shared/platform/table/table.ts';

type Sets = Readonly<Record<string, Marked>>;

/**
 * Counts the records that a caller with a part of the organization sees, because counters count all records: `of` those with
 * some values of dimensions, `inSet` those in each of the sets. The part is read once.
 */
export async function seenCounts<T extends Stored, D extends keyof T>(
  { dynamo, tenant, part }: Table,
  entity: Entity<T, D>,
  { sets, within = 'everything' }: { sets: Sets; within?: Marked },
) {
  const place = { dynamo, tenant, entity };
  const seen = combinedBits(place, { all: [seenIn(entity, part), within] });
  const each = Object.entries(sets).map(
    async ([name, marked]) => [name, countOf(both(await seen, await combinedBits(place, marked)))] as const,
  );
  const [of, counts] = await Promise.all([seen.then((bits) => countedIn(place, bits)), Promise.all(each)]);
  const known = new Map(counts);
  return { of, inSet: (name: string): number => known.get(name) ?? 0 };
}
