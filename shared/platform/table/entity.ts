import type * as z from 'zod';
import { type Dimensions, type Shape, shapeOf } from './layout/positions.ts';
import { DEFAULT_WORDS } from './layout/words.ts';

/** The fields of every stored record; callers cannot write them. */
export type Stored = { id: string; version: number; createdAt: string; updatedAt: string };

/** Adds numbers to the counters of one value of a facet (a zone, a product, a day). `add` defaults to `{ n: 1 }`. */
export type Tally = { facet: string; value: string | null; add?: Record<string, number> };

/** Name of a value -> the value or values of a record. */
export type Indexed = Record<string, string | null | undefined | readonly string[]>;

/** Name of a field -> the value or values that no other record of the collection may have. */
export type Unique = Record<string, string | null | undefined | readonly string[]>;

type ParentList<T> = { of: (item: T) => string | null | undefined; dimensions?: Dimensions };

/** Counters by day (shared/platform/table/daily.ts). Not for a collection with shards. */
type Daily<T> = {
  /** Names of declared values: the records with each value are a group with counters of its own. */
  marks: readonly string[];
  /** The states of a record of an earlier release, each from its day on; the last is the present state. */
  past: (item: T) => readonly ({ day: string } & Partial<T>)[];
};

/** Counters of groups of records (layout/grouped.ts). Never changed once records are stored. */
export type Grouped = {
  /** Names of declared values: the records with each value are a group with counters of its own. */
  marks: readonly string[];
  /** The counters of a record in each of its groups, which follow from the counters that the record stores. */
  counters: (own: {
    facets: Readonly<Record<string, number>>;
    tallies: readonly Required<Tally>[];
  }) => readonly Required<Omit<Tally, 'facet'>>[];
};

/** The part of an organization that a caller sees: what belongs to one of these zones, applications or teams. */
export type Part = Readonly<{
  /** The caller, for records that are of no asset and belong to a person. */
  personId?: string | undefined;
  zones?: readonly string[] | undefined;
  applicationIds?: readonly string[] | undefined;
  teamIds?: readonly string[] | undefined;
}>;

/**
 * A caller with a part of the organization sees the records that have a declared value of one of these names in the part;
 * of a list, of one of the names in each entry. `whole`: all records, because operations reach them through records that the
 * caller sees, or they are of no asset; `none`: no record.
 */
type InPart = Names | readonly Names[] | 'whole' | 'none';
export type Names = Readonly<Partial<Record<keyof Part, string>>>;

type EntityOptions<T, D extends keyof T> = {
  /** Part of every key, so short and never changed. */
  name: string;
  /**
   * Closed-valued fields by which the whole collection may be filtered, separately and together. Never changed once
   * records are stored, except that values may be appended while there is room: 1, 3, 7 or 15 values take as many bits.
   */
  dimensions?: Dimensions;
  /** Lists of the records of one parent (or of any value that few records share), each with its own dimensions. */
  parents?: Record<string, ParentList<T>>;
  /** Counters with few names, which share one row under 1 KB. Whole numbers only, as in tallies. */
  facets?: (item: T) => Record<string, number>;
  /**
   * The row of the facets is beside the facet rows of other collections, so that a dashboard reads all of them with one
   * query. Not for a collection with shards.
   */
  together?: boolean;
  /** Counters of open values: a row per value. */
  tallies?: (item: T) => Tally[];
  /** Texts whose words find the record, the most specific first; `words` of them count. */
  search?: (item: T) => (string | null | undefined)[];
  words?: number;
  /**
   * Values by which the collection may be filtered in any combination, also with words; null means that the record has
   * none.
   */
  indexed?: (item: T) => Indexed;
  /** Dimensions and values that most records share with many others: reads leave them for last, in a round trip more. */
  broad?: readonly string[];
  /**
   * Texts whose order and range lists may use (`sort`, `between`); null leaves the record out. Use texts that several
   * records share: a day, not a second.
   */
  ordered?: (item: T) => Record<string, string | null | undefined>;
  /** The store counts at the end of each day how many records have each combination of dimensions. */
  daily?: Daily<T>;
  grouped?: Grouped;
  /** Bulk batches note the marks of their records in a journal, which is worked into the index per chunk. */
  journal?: boolean;
  /** Whole numbers from 0 to 2^40 - 1 whose highest `table.highestRank` finds. */
  ranks?: (item: T) => Record<string, number | undefined>;
  /** Values that only one record of the collection may have; one or several of a field. */
  unique?: (item: T) => Unique;
  /** Long fields, which are in a second row and which lists leave out. */
  detail?: readonly D[];
  /**
   * The change feed reports each change of these records: these fields with their values, other fields with their
   * names. Undefined: the records are technical, and no reader of the feed needs them.
   */
  feedFields?: readonly (keyof T & string)[];
  /** Each counter and position row is split into this many, where many writers meet at once. Never changed later. */
  shards?: number;
  /** Undefined: the collection is closed to callers with a part of the organization (part.ts). */
  inPart?: InPart;
};

export type Entity<T extends Stored = Stored, D extends keyof T = never> = {
  name: string;
  main: Shape;
  parents: Record<string, ParentList<T> & { shape: Shape }>;
  facets: (item: T) => Record<string, number>;
  together: boolean;
  tallies: (item: T) => Tally[];
  search: (item: T) => (string | null | undefined)[];
  words: number;
  /** Undefined: only words find the collection's records. */
  indexed: ((item: T) => Indexed) | undefined;
  broad: readonly string[];
  ordered: (item: T) => Record<string, string | null | undefined>;
  daily: Daily<T> | undefined;
  grouped: Grouped | undefined;
  journal: boolean;
  ranks: (item: T) => Record<string, number | undefined>;
  unique: (item: T) => Unique;
  detail: readonly D[];
  feedFields: readonly string[] | undefined;
  shards: number;
  inPart?: InPart | undefined;
  /** The collection whose ordinals these records take; default: their own. */
  sequence?: string;
};

/** The part of a declaration that finds counters. */
export type Counted = Pick<Entity, 'name' | 'shards' | 'together' | 'inPart'>;

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
    together: options.together ?? false,
    tallies: options.tallies ?? (() => []),
    search: options.search ?? (() => []),
    words: options.words ?? DEFAULT_WORDS,
    indexed: options.indexed,
    broad: options.broad ?? [],
    ordered: options.ordered ?? (() => ({})),
    daily: options.daily,
    grouped: options.grouped,
    journal: options.journal ?? false,
    ranks: options.ranks ?? (() => ({})),
    unique: options.unique ?? (() => ({})),
    detail: options.detail ?? [],
    feedFields: options.feedFields,
    shards: options.shards ?? 1,
    inPart: options.inPart,
  };
}

/**
 * A collection of the same records beside another one. Both take their ids from one sequence, so that a record moves
 * between them (deleted here and created there in one batch) and keeps its id. It counts nothing and has no parents'
 * lists.
 */
export const defineEntityBeside = <T extends Stored, D extends keyof T>(
  entity: Entity<T, D>,
  name: string,
): Entity<T, D> => ({
  ...entity,
  name,
  sequence: entity.sequence ?? entity.name,
  parents: {},
  facets: () => ({}),
  together: false,
  tallies: () => [],
  daily: undefined,
  grouped: undefined,
});

/**
 * A collection beside another one, of unchanged records that were removed from it. Only their ids and the `options`
 * find or count them.
 */
export const defineEntityAside = <T extends Stored, D extends keyof T>(
  entity: Entity<T, D>,
  name: string,
  options: Pick<EntityOptions<T, D>, 'indexed'> = {},
): Entity<T, D> => ({
  ...defineEntityBeside(entity, name),
  main: shapeOf(undefined),
  search: () => [],
  ordered: () => ({}),
  ranks: () => ({}),
  unique: () => ({}),
  indexed: options.indexed,
  journal: false,
  feedFields: undefined,
  inPart: entity.inPart && 'none',
});

/** `{status: 'open', zone: undefined}` -> `{'status:open': 1}`: a facet per value of a field, the usual case. */
export const count = (fields: Record<string, string | null | undefined>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value == null ? [] : [[`${name}:${value}`, 1]])),
  );
