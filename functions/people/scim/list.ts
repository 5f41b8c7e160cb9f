import { type Filter, parse } from 'scim2-parse-filter';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import { LIST_SCHEMA, type ListQuery } from './resources.ts';

type Equality = { attribute: string; value: string };

const URN = /^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/;

const refused = (names: readonly string[]): ApiError =>
  new ApiError('unsupported_filter', `The filter is one of ${names.join(', ')} with eq and a value.`);

/**
 * The equality that a filter asks for. The store answers equalities of these attributes from one row or a counter; it never
 * reads all records to answer another filter. @throws unsupported_filter
 */
export function equalityOf(filter: string | undefined, names: readonly string[]): Equality | undefined {
  if (filter === undefined) return undefined;
  const parsed = parsedFilter(filter);
  if (parsed?.op !== 'eq' || !('compValue' in parsed) || parsed.compValue === null) throw refused(names);
  const plain = parsed.attrPath.toLowerCase().replace(URN, '');
  const attribute = names.find((name) => name.toLowerCase() === plain);
  if (!attribute) throw refused(names);
  return { attribute, value: String(parsed.compValue) };
}

/** @returns undefined for a text that is no filter */
export function parsedFilter(filter: string): Filter | undefined {
  try {
    return parse(filter);
  } catch {
    return undefined;
  }
}

/** RFC 7644, section 3.4.2.4. */
export function rangeOf({ startIndex = 1, count = Number.POSITIVE_INFINITY }: ListQuery, most: number) {
  const size = Math.max(0, Math.min(count, most));
  return { startIndex: Math.max(1, startIndex), size };
}

/** The page of a range; a page without resources still counts them. */
export const pageOf = ({ startIndex, size }: ReturnType<typeof rangeOf>): PageRange => ({
  paginateFrom: startIndex - 1,
  paginateSize: Math.max(1, size),
});

export const listAnswer = <T>(Resources: T[], totalResults: number, startIndex = 1) => ({
  schemas: [LIST_SCHEMA],
  totalResults,
  startIndex,
  itemsPerPage: Resources.length,
  Resources,
});
