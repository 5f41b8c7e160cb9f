import * as z from 'zod';
import { type Page, type PageRange, pageNumbers } from '../table/paging.ts';
import { Id } from './records.ts';

/** A number from a query parameter; any other text stays unchanged, and the schema refuses it. */
export const wholeNumber = (text: string | number) =>
  typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : text;

/** A number of a query parameter within these bounds. */
export const numberIn = (bounds: z.ZodType<number>) => z.preprocess((text) => wholeNumber(text as string), bounds);

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 500;
/** No list is this long; a larger page number is not exact in every client. */
const MAX_OFFSET = 1_000_000_000;

/** `P` of the interface. Both parameters are optional; a value outside the bounds is answered with 400. */
export const Pagination = z.object({
  paginateFrom: numberIn(z.int().min(0).max(MAX_OFFSET))
    .default(0)
    .meta({ description: 'offset of the first item, from 0' }),
  paginateSize: numberIn(z.int().min(1).max(MAX_PAGE_SIZE))
    .default(DEFAULT_PAGE_SIZE)
    .meta({ description: 'items per page' }),
});

/** Several values of a query parameter: repeated, or separated by commas, as the gateway joins them. */
export const anyOf = <T extends z.ZodType>(value: T, most = 20) =>
  z.preprocess((text) => (typeof text === 'string' ? text.split(',') : text), z.array(value).min(1).max(most));

const MAX_LISTED_IDS = 100;

/** `P` of the interface for a list of stored records. */
export const Listing = Pagination.extend({
  ids: anyOf(Id, MAX_LISTED_IDS)
    .optional()
    .meta({
      description:
        `up to ${MAX_LISTED_IDS} ids, separated by commas: the records of the list with these ids, all in one page; the other ` +
        'parameters apply too',
    }),
});

/** `P` and `S` of the interface. */
export const SearchQuery = Pagination.extend({
  search: z.string().trim().min(1).max(200).meta({
    description: 'words; each word matches the beginning of a word, a word in quotation marks matches a whole word',
  }),
});

/** A query parameter that narrows a list when it is sent as `true`. */
export const onlyTrue = z
  .preprocess((text) => (text === 'true' ? true : text), z.literal(true, 'must be true; leave it out to list all'))
  .optional();

/** The envelope of a paged answer. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    page: z.int().positive(),
    pageSize: z.int().positive(),
    totalCount: z.int().nonnegative(),
    totalPages: z.int().nonnegative(),
  });

/** The envelope of a search, which says when the search stopped at its limit of matches. */
export const searchPageOf = <T extends z.ZodType>(item: T) =>
  pageOf(item).extend({
    truncated: z.literal(true).optional().meta({
      description: 'present when too many words match the search, so that `totalCount` is a lower bound',
    }),
  });

/** A page of a small list in memory. */
export const pageOfArray = <T>(items: readonly T[], range: PageRange): Page<T> => ({
  data: items.slice(range.paginateFrom, range.paginateFrom + range.paginateSize),
  ...pageNumbers(range, items.length),
});

type AnyPage = { data: readonly unknown[] };
type Shown<P extends AnyPage, R> = Omit<P, 'data'> & { data: R[] };

/** The page with its records as they are shown to callers. */
export async function showPage<P extends AnyPage, R>(
  read: P | Promise<P>,
  show: (records: P['data']) => R[] | Promise<R[]>,
): Promise<Shown<P, R>> {
  const { data, ...page } = await read;
  return { ...page, data: await show(data) };
}

/** The same for records that are shown one by one. */
export const showEach = <P extends AnyPage, R>(
  read: P | Promise<P>,
  show: (record: P['data'][number]) => R | Promise<R>,
): Promise<Shown<P, R>> => showPage(read, (records) => Promise.all(records.map(show)));
