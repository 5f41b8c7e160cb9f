import { listName } from './layout/contribution.ts';
import { NO_VALUE, orderIn, valueMark } from './layout/marks.ts';
import { originOf } from './layout/record.ts';
import { type MarkQuery, wordsOfSearch } from './marked.ts';

type Values<V> = Readonly<Record<string, V | undefined>>;
type Query = { parent?: Values<string>; filter?: Values<string> } & MarkQuery;

/** Whether a list has a record that was read, from what the index has of the record. */
export function matching({ parent = {}, filter = {}, where = {}, between = {}, search }: Query) {
  const words = search === undefined ? [] : wordsOfSearch(search);
  return (item: object): boolean => {
    const { lists, marks } = originOf(item).contribution();
    return (
      given(parent).every(([list, id]) => listName(list, id) in lists) &&
      given(filter).every(([name, value]) => String(Reflect.get(item, name)) === value) &&
      given(where).every(([name, values]) =>
        [values].flat().some((value) => marks.includes(valueMark(name, value ?? NO_VALUE))),
      ) &&
      given(between).every(([name, ends]) => isWithin(placeIn(item, name), ends)) &&
      words.every(({ word, exact }) => marks.some((mark) => (exact ? mark === word : mark.startsWith(word))))
    );
  };
}

/** The records by their places in a declared order, those without a place last; equal records stay as they were. */
export function inOrder<T extends object>(items: readonly T[], order: string): T[] {
  const placed = items.map((item) => ({ item, place: placeIn(item, order) ?? LAST }));
  return placed.sort((a, b) => (a.place === b.place ? 0 : a.place < b.place ? -1 : 1)).map(({ item }) => item);
}

const placeIn = (item: object, order: string): string | undefined =>
  originOf(item)
    .contribution()
    .marks.map(orderIn)
    .find((place) => place?.name === order)?.text;

/** Behind every place in an order. */
const LAST = '~';

const isWithin = (place: string | undefined, { from = '', to = LAST }: { from?: string; to?: string }): boolean =>
  place !== undefined && from <= place && place <= to;

/** The values that are not undefined. */
export const given = <V>(values: Values<V>): [string, V][] =>
  Object.entries(values).filter((entry): entry is [string, V] => entry[1] !== undefined);
