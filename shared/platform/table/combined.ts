import type { Dynamo } from '../runtime/dynamo.ts';
import type { Entity } from './entity.ts';
import { type Bits, both, either, without } from './layout/bits.ts';
import { markedBits } from './marked.ts';

type Value = string | null;

/** Declared values in any combination; `everything` are the records of `universe`. */
export type Marked =
  | { name: string; values: readonly Value[] }
  | { all: readonly Marked[] }
  | { any: readonly Marked[] }
  | { not: Marked }
  | 'everything';

/** The collection, and values of which each record has one. */
type Place = {
  dynamo: Dynamo;
  tenant: string;
  entity: Pick<Entity, 'name' | 'shards' | 'broad'>;
  universe: Marked;
  consistent?: boolean;
};

/** The records that have a combination of values: one round trip, which reads each value once, however often it is named. */
export function combinedBits(place: Place, marked: Marked): Promise<Bits> {
  const { universe, consistent = false, ...collection } = place;
  const known = new Map<string, Promise<Bits>>();
  const bitsOf = (name: string, value: Value): Promise<Bits> => {
    const key = JSON.stringify([name, value]);
    const found =
      known.get(key) ?? markedBits(collection, { where: { [name]: value }, consistent }).then(({ bits }) => bits);
    known.set(key, found);
    return found;
  };
  const combine = async (one: Marked): Promise<Bits> => {
    if (one === 'everything') return combine(universe === 'everything' ? NOTHING : universe);
    if ('name' in one) return any(await Promise.all(one.values.map((value) => bitsOf(one.name, value))));
    if ('not' in one) {
      const [all, some] = await Promise.all([combine('everything'), combine(one.not)]);
      return without(all, some);
    }
    if ('any' in one) return any(await Promise.all(one.any.map(combine)));
    const [first, ...rest] = await Promise.all(one.all.map(combine));
    return first === undefined ? combine('everything') : rest.reduce(both, first);
  };
  return combine(marked);
}

const NOTHING: Marked = { any: [] };
const any = (parts: readonly Bits[]): Bits => parts.reduce(either, new Map());
