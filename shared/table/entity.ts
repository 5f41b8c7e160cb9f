import type * as z from 'zod';
import { type Dimensions, type Shape, shapeOf } from './layout/positions.ts';

/** The fields of every stored record; callers cannot write them. */
export type Stored = { id: string; version: number; createdAt: string; updatedAt: string };

/** Adds numbers to the counters of one value of a facet (a zone, a product, a day). `add` defaults to `{ n: 1 }`. */
export type Tally = { facet: string; value: string | null; add?: Record<string, number> };

/**
 * A whole number from 0 to 2^40 - 1 and a short note of the characters `A-Za-z0-9_-`, which readers get before they
 * read the record. Of equal numbers and notes the newest record comes first.
 */
export type Rank = { number: number; note?: string };

type ParentList<T> = { of: (item: T) => string | null | undefined; dimensions?: Dimensions };

type EntityOptions<T, D extends keyof T> = {
  /** Part of every key, so short and never changed. */
  name: string;
  /**
   * Closed-valued fields by which the whole collection may be filtered, alone and together. Never changed once records
   * are stored, except that values may be appended while there is room: 1, 3, 7 or 15 values take as many bits.
   */
  dimensions?: Dimensions;
  /** Lists of the records of one parent (or of any value that few records share), each with its own dimensions. */
  parents?: Record<string, ParentList<T>>;
  /** Counters with few names, which share one row under 1 KB. Whole numbers only, as in tallies. */
  facets?: (item: T) => Record<string, number>;
  /** Counters of open values: a row per value. */
  tallies?: (item: T) => Tally[];
  /** Texts by whose words a search finds the record. */
  search?: (item: T) => (string | null | undefined)[];
  /** Numbers by which `table.top` finds the first few records, the highest first. */
  ranks?: (item: T) => Record<string, Rank | undefined>;
  /** Values that only one record of the collection may have. */
  unique?: (item: T) => Record<string, string | null | undefined>;
  /** Long fields, which lie in a second row and which lists leave out. */
  detail?: readonly D[];
  /** Each counter and position row is split into this many, where many writers meet at once. Never changed later. */
  shards?: number;
};

export type Entity<T extends Stored = Stored, D extends keyof T = never> = {
  name: string;
  main: Shape;
  parents: Record<string, ParentList<T> & { shape: Shape }>;
  facets: (item: T) => Record<string, number>;
  tallies: (item: T) => Tally[];
  search: (item: T) => (string | null | undefined)[];
  ranks: (item: T) => Record<string, Rank | undefined>;
  unique: (item: T) => Record<string, string | null | undefined>;
  detail: readonly D[];
  shards: number;
};

/** A record from a list, without its detail fields. */
export type ListItem<T, D extends keyof T> = Omit<T, D> & Stored;

/** @param _schema gives the type of the records; bundles leave it out (infra/bundle/only-what-runs.ts) */
export function defineEntity<T extends Stored, const D extends keyof T = never>(
  _schema: z.ZodType<T>,
  options: EntityOptions<T, D>,
): Entity<T, D> {
  const parents = Object.fromEntries(
    Object.entries(options.parents ?? {}).map(([list, parent]) => [
      list,
      { ...parent, shape: shapeOf(parent.dimensions) },
    ]),
  );
  return {
    name: options.name,
    main: shapeOf(options.dimensions),
    parents,
    facets: options.facets ?? (() => ({})),
    tallies: options.tallies ?? (() => []),
    search: options.search ?? (() => []),
    ranks: options.ranks ?? (() => ({})),
    unique: options.unique ?? (() => ({})),
    detail: options.detail ?? [],
    shards: options.shards ?? 1,
  };
}

/** `{status: 'open', zone: undefined}` -> `{'status:open': 1}`: a facet per value of a field, the usual case. */
export const count = (fields: Record<string, string | null | undefined>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value == null ? [] : [[`${name}:${value}`, 1]])),
  );
