import type { Dynamo } from '../runtime/dynamo.ts';
import type { Entity } from './entity.ts';
import { type Bits, both, either, without } from './layout/bits.ts';
import { markedBits } from './marked.ts';

/** Declared values in any combination; `everything` are the records of `universe`. */
export type Marked =
  | { name: string; values: readonly (string | null)[] }
  | { all: readonly Marked[] }
  | { any: readonly Marked[] }
  | { not: Marked }
  | 'everything';

/** The collection, and the values that its records have of which any counts. */
type Place = {
  dynamo: Dynamo;
  scope: string;
  entity: Pick<Entity, 'name' | 'shards' | 'broad'>;
  universe: Marked;
  consistent?: boolean;
};

/** The records that have a combination of values: one round trip for all values of it. */
export async function combinedBits(place: Place, marked: Marked): Promise<Bits> {
  const { universe, ...rest } = place;
  if (marked === 'everything') return combinedBits({ ...rest, universe: NOTHING }, universe);
  if ('name' in marked) return marked.values.length === 0 ? new Map() : valueBits(place, marked);
  if ('not' in marked) {
    const [all, some] = await Promise.all([combinedBits(place, 'everything'), combinedBits(place, marked.not)]);
    return without(all, some);
  }
  const isAll = 'all' in marked;
  const parts = await Promise.all((isAll ? marked.all : marked.any).map((part) => combinedBits(place, part)));
  if (isAll) return parts.length === 0 ? combinedBits(place, 'everything') : parts.reduce(both);
  return parts.reduce(either, new Map());
}

const NOTHING: Marked = { any: [] };

async function valueBits(
  { consistent = false, ...place }: Omit<Place, 'universe'>,
  { name, values }: { name: string; values: readonly (string | null)[] },
): Promise<Bits> {
  const { bits } = await markedBits(place, { where: { [name]: values }, consistent });
  return bits;
}
