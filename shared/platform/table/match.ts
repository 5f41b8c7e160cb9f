import { invalid } from '../runtime/errors.ts';
import type { Marked } from './combined.ts';
import type { Entity, Stored } from './entity.ts';
import { listName } from './layout/contribution.ts';
import { isWord, marksOf, NO_VALUE, orderIn, valueMark } from './layout/marks.ts';
import { originOf } from './layout/record.ts';
import { type Wanted, wantedWords } from './layout/words.ts';

type Values<V> = Readonly<Record<string, V | undefined>>;

/** Conditions on the marks of records, which all hold. */
export type MarkQuery = {
  /** Declared values: one value of each name; null finds records without a value of this name. */
  where?: Values<string | null | readonly (string | null)[]>;
  /** Ranges of declared orders. */
  between?: Values<{ from?: string; to?: string }>;
  /** Words, each of which the record has. */
  search?: string;
  /** Any other combination, of at most 30 levels. */
  matching?: Marked | undefined;
};

/** The values that a caller asks for, if any: without them a list needs no marks. */
export const where = (values: NonNullable<MarkQuery['where']>): Pick<MarkQuery, 'where'> =>
  Object.values(values).some((value) => value !== undefined) ? { where: values } : {};

/**
 * The conditions as one.
 * @throws validation_failed for a search without a word that narrows anything
 */
export function markedOf({ where = {}, between = {}, search, matching = 'everything' }: MarkQuery): Marked {
  const values = given(where).map(([name, wanted]) => ({ name, values: [wanted].flat() }));
  const ranges = given(between).map(([order, ends]) => ({ order, ...ends }));
  const words = search === undefined ? [] : wordsOfSearch(search);
  return { all: [...values, ...ranges, ...words, matching] };
}

/** @throws validation_failed for a search without a word that narrows anything */
function wordsOfSearch(search: string): Wanted[] {
  const words = wantedWords(search);
  if (words.length === 0) throw invalid('search', 'must have a word of two letters or digits or more');
  return words;
}

/** Whether a condition asks for values of a name. */
export const asksFor = (marked: Marked, name: string): boolean => valuesAsked(marked, name).length > 0;

/** The values of a name that a condition asks for. */
export function valuesAsked(marked: Marked, name: string): readonly (string | null)[] {
  if (marked === 'everything' || 'order' in marked || 'word' in marked) return [];
  if ('name' in marked) return marked.name === name ? marked.values : [];
  const parts = 'all' in marked ? marked.all : 'any' in marked ? marked.any : [marked.not];
  return parts.flatMap((part) => valuesAsked(part, name));
}

/** Whether a record that was read fits, by the marks that the index has of it. */
export const fits = (marked: Marked, item: object): boolean => hasMarks(marked, originOf(item).contribution().marks);

/** Whether a record would fit once it is stored as it is. */
export const wouldFit = <T extends Stored, D extends keyof T>(
  marked: Marked,
  entity: Entity<T, D>,
  record: T,
): boolean => hasMarks(marked, marksOf(entity, record));

/** Whether these marks of a record fit. */
export function hasMarks(marked: Marked, marks: readonly string[]): boolean {
  if (marked === 'everything') return true;
  if ('all' in marked) return marked.all.every((part) => hasMarks(part, marks));
  if ('any' in marked) return marked.any.some((part) => hasMarks(part, marks));
  if ('not' in marked) return !hasMarks(marked.not, marks);
  if ('name' in marked) return marked.values.some((value) => marks.includes(valueMark(marked.name, value ?? NO_VALUE)));
  if ('order' in marked) return isWithin(placeAmong(marks, marked.order), marked);
  const { word, exact } = marked;
  return marks.some((mark) => isWord(mark) && (exact ? mark === word : mark.startsWith(word)));
}

type Query = { parent?: Values<string>; filter?: Values<string> } & MarkQuery;

/** Whether a list has a record that was read, from what the index has of the record. */
export function matching({ parent = {}, filter = {}, ...conditions }: Query) {
  const marked = markedOf(conditions);
  return (item: object): boolean => {
    const { lists, marks } = originOf(item).contribution();
    return (
      given(parent).every(([list, id]) => listName(list, id) in lists) &&
      given(filter).every(([name, value]) => String(Reflect.get(item, name)) === value) &&
      hasMarks(marked, marks)
    );
  };
}

/** The records by their places in a declared order, those without a place last; equal records stay as they were. */
export function inOrder<T extends object>(items: readonly T[], order: string): T[] {
  const placed = items.map((item) => ({
    item,
    place: placeAmong(originOf(item).contribution().marks, order) ?? LAST,
  }));
  return placed.sort((a, b) => (a.place === b.place ? 0 : a.place < b.place ? -1 : 1)).map(({ item }) => item);
}

const placeAmong = (marks: readonly string[], order: string): string | undefined =>
  marks.map(orderIn).find((place) => place?.name === order)?.text;

/** Behind every place in an order. */
const LAST = '~';

/** The ends are those of the range in the index: `to` includes the places that begin so. */
const isWithin = (place: string | undefined, { from = '', to = '' }: { from?: string; to?: string }): boolean =>
  place !== undefined && from <= place && place <= `${to}${LAST}`;

/** The values that are not undefined. */
export const given = <V>(values: Values<V>): [string, V][] =>
  Object.entries(values).filter((entry): entry is [string, V] => entry[1] !== undefined);
