export type Page<T> = { data: T[]; totalCount: number; truncated?: true | undefined };

/** A page of a list, with the time of its data. */
export type ReadPage<T> = Page<T> & { readAt: number };

const PAGE_SIZE = 100;

/** The question of a page of a list. */
export const pageAsked = (search: string, page: number): string =>
  `${search}&paginateFrom=${page * PAGE_SIZE}&paginateSize=${PAGE_SIZE}`;

export const pageAt = (position: number): number => Math.floor(position / PAGE_SIZE);
export const positionIn = (page: number, n: number): number => page * PAGE_SIZE + n;
