import { Overtaken } from '../runtime/errors.ts';

/** Values with their counts, in the order of their texts: an added value can be removed exactly. */
export type Bag<V> = readonly (readonly [value: V, times: number])[];

/** @throws Overtaken where a value leaves that is not there: another reader of the changes moved it between two reads */
export function changeBag<V>(
  bag: Bag<V>,
  { added, removed }: { added: readonly NoInfer<V>[]; removed: readonly NoInfer<V>[] },
): Bag<V> {
  const counts = new Map(bag.map(([value, times]) => [textOf(value), times]));
  const add = (value: V, times: number) => counts.set(textOf(value), (counts.get(textOf(value)) ?? 0) + times);
  for (const value of added) add(value, 1);
  for (const value of removed) add(value, -1);
  const left = [...counts].filter(([, times]) => times !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  if (left.some(([, times]) => times < 0)) throw new Overtaken();
  return left.map(([text, times]) => [JSON.parse(text), times]);
}

/** Equal values have equal texts, however their fields are ordered. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
