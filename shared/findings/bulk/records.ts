import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { refusal, refusing } from './decision.ts';
import type { Item } from './found.ts';
import type { Decided } from './slices.ts';

export const placeOf = (item: Item): number => (typeof item === 'number' ? item : ordinalOf(item));

type Deciding<T> = {
  /** The name of such a record in messages. */
  name: string;
  /** The records as they stand, of at least these places. */
  found: readonly T[];
  /** @throws ApiError for a record that refuses the change */
  decide: (standing: T) => Decided['change'];
};

/** The decision on each record, in the order of the selection: records of one collection as a part of a task. */
export function decideEach<T extends { id: string }>(items: readonly Item[], deciding: Deciding<T>): Decided[] {
  const standing = new Map(deciding.found.map((one) => [ordinalOf(one.id), one]));
  return items.map((item) => decideOn(item, standing.get(placeOf(item)), deciding));
}

function decideOn<T extends { id: string }>(
  item: Item,
  standing: T | undefined,
  { name, decide }: Deciding<T>,
): Decided {
  if (typeof item === 'number' && !standing) return { outcome: 'unchanged' };
  if (!standing || (typeof item === 'string' && standing.id !== item)) {
    const id = String(item);
    return refusal({ id, code: 'not_found', message: `There is no ${name} ${id}.` });
  }
  return refusing<Decided>(standing.id, () => {
    const change = decide(standing);
    return change ? { outcome: 'changed', change } : { outcome: 'unchanged' };
  });
}
