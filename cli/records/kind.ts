import type { Client } from '../client.ts';
import type { Reported } from '../output/reported.ts';

/** The records of a page, and where the next page begins: a place in the order, or a mark of the service. */
export type Page = {
  data: readonly object[];
  next: number | string | undefined;
  totalCount?: number;
  /** The same records as findings, for files of other programs. */
  reported?: readonly Reported[];
};
export type Asked = { filter: string | undefined; sort: string | undefined; size: number };

/** One kind of records, and how the service lists them. */
export type Kind = {
  plural: string;
  /** Paths of fields that a table shows. `wide` ones give way in a narrow terminal. */
  columns: readonly string[];
  wide: readonly string[];
  orders?: readonly string[];
  maxPageSize?: number;
  /** Its records are findings, which files of other programs can have. */
  hasFiles?: true;
  /** The list takes words instead of a filter: they come as its filter. */
  isSearched?: true;
  /** The list takes neither filter nor words. */
  isListed?: true;
  page(client: Client, asked: Asked, from: Page['next']): Promise<Page>;
  /** A list in the order of time has no count. */
  count?(client: Client, filter: string | undefined): Promise<number>;
  show(client: Client, id: string): Promise<object>;
  /** Paths of fields that one record shows to people, in their order. */
  facts: readonly string[];
};

/** The page of a list that counts its places. */
export function placed(
  { data, totalCount }: { data: readonly object[]; totalCount: number },
  from: Page['next'],
): Page {
  const end = Number(from ?? 0) + data.length;
  return { data, totalCount, next: data.length > 0 && end < totalCount ? end : undefined };
}

/** The parameters of a list that counts its places. */
export const placesOf = ({ filter, size }: Omit<Asked, 'sort'>, from: Page['next']) => ({
  paginateFrom: Number(from ?? 0),
  paginateSize: size,
  filter,
});

/** One of the values that an option takes. */
export const oneOf = <T extends string>(values: readonly T[], value: string | undefined): T | undefined =>
  values.find((one) => one === value);
