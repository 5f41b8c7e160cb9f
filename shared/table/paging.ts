export type Paging = { paginateFrom: number; paginateSize: number };

export type Page<T> = { data: T[]; page: number; pageSize: number; totalCount: number; totalPages: number };

export const pageNumbers = ({ paginateFrom, paginateSize }: Paging, totalCount: number) => ({
  page: Math.floor(paginateFrom / paginateSize) + 1,
  pageSize: paginateSize,
  totalCount,
  totalPages: Math.ceil(totalCount / paginateSize),
});
