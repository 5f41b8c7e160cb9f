/**
 * A page that a caller asks for: its first record, counted from 0, and its size. `ids`: only the records with these ids,
 * all in one page.
 */
export type PageRange = { paginateFrom: number; paginateSize: number; ids?: readonly string[] | undefined };

export type Page<T> = { data: T[]; page: number; pageSize: number; totalCount: number; totalPages: number };

export type SearchPage<T> = Page<T> & {
  /** True when a beginning of a word has more matches than are read: totalCount is then a lower bound. */
  truncated?: true;
};

export const pageNumbers = ({ paginateFrom, paginateSize }: PageRange, totalCount: number) => ({
  page: Math.floor(paginateFrom / paginateSize) + 1,
  pageSize: paginateSize,
  totalCount,
  totalPages: Math.ceil(totalCount / paginateSize),
});
