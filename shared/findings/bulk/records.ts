import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { refusal, refusing } from './decision.ts';
import type { Item } from './found.ts';
import type { Decided } from './slices.ts';

export const placeOf = (item: Item): number => (typeof item === 'number' ? item : ordinalOf(item));

type Deciding<T> = {
  /** The name of such a record in messages. */
  name: string;
  /** The current records of at least these places. */
  found: readonly T[];
  /** @throws ApiError for a record that refuses the change */
  decide: (current: T) => Decided['change'];
};

/** The decision on each record, in the order of the selection: records of one collection as a part of a task. */
export function decideEach<T extends { id: string }>(items: readonly Item[], deciding: Deciding<T>): Decided[] {
  const current = new Map(deciding.found.map((one) => [ordinalOf(one.id), one]));
  return items.map((item) => decideOn(item, current.get(placeOf(item)), deciding));
}

function decideOn<T extends { id: string }>(
  item: Item,
  current: T | undefined,
  { name, decide }: Deciding<T>,
): Decided {
  if (typeof item === 'number' && !current) return { outcome: 'unchanged' };
  if (!current || (typeof item === 'string' && current.id !== item)) {
    const id = String(item);
    return refusal({ id, code: 'not_found', message: `There is no ${name} ${id}.` });
  }
  return refusing<Decided>(current.id, () => {
    const change = decide(current);
    return change ? { outcome: 'changed', change } : { outcome: 'unchanged' };
  });
}
