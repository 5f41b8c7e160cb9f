import { printFilter } from '#shared/platform/filter/print.ts';
import type { FilterInput } from '../api/types.ts';

/** The field of the words that a search finds, in the filters of every kind of record. */
const KINDS = { text: { kind: 'words' } };

/** A filter as the person reads and types it, also one that a program sent as JSON. */
export const textOf = (filter: FilterInput | null | undefined): string =>
  typeof filter === 'string' ? filter : filter ? printFilter(filter, KINDS) : '';

/** The service reads a filter of JSON as such. @throws nothing: a text that is no JSON is a filter of words */
function filterOf(text: string | undefined): FilterInput | undefined {
  if (!text?.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `payments, shop` */
export const wordsIn = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

type Filtered = { filter?: FilterInput | null; filterId?: string | null };

/** The typed filter. A rule that follows a saved filter goes on with it while the person leaves the text as it was. */
export const filterAfter = (text: string | undefined, before?: Filtered): Filtered =>
  before && (text ?? '') === textOf(before.filter)
    ? { filter: before.filter, filterId: before.filterId }
    : { filter: filterOf(text) ?? null, filterId: null };
