import type { Entity, Stored } from '../table/entity.ts';
import type { Write } from '../table/io/commit.ts';
import type { Draft, Table } from '../table/table.ts';

/** One record's share in one target. A record contributes to a key once. */
type Contribution<F> = { key: string; facts: F };

/** Facts that a target gained and lost, each as some record contributed them. */
export type Change<F> = { key: string; added: readonly F[]; removed: readonly F[] };

/** One contribution that comes, goes or changes: the facts of a record under a key. */
export type Move<F> = { id: string; key: string; added?: F | undefined; removed?: F | undefined };

/** A collection that the feed reports, and the contributions of its records. */
type Source<F> = {
  entity: Entity;
  contributions: (record: Stored) => readonly Contribution<F>[];
};

/**
 * Records that one reader of the change feed derives from other records: a product from all records that name it, a
 * vulnerability from its findings. Nobody else creates or deletes them; other writers own the fields that `apply`
 * leaves alone.
 */
export type View<T extends Stored = Stored, F = unknown> = {
  /** Part of every key, so short and never changed. */
  name: string;
  sources: readonly Source<F>[];
  target: Entity<T, keyof T>;
  /** The unique field of the target that holds the key. */
  field: string;
  /** Reads the further input of `apply` besides the facts: for targets that change, and for existing ones. */
  prepare?: (table: Table, of: { moves: readonly Move<F>[]; current: readonly T[] }) => Promise<void>;
  /** Rows that go with the creation of a target, or with its deletion. */
  beside?: (table: Table, of: { before?: T | undefined; after?: T | undefined }) => Write[];
  /**
   * Runs after each look at source records that contribute or did, also at a repetition: its effects must be harmless
   * to repeat. Views that share it run it once.
   */
  after?: (table: Table, ids: readonly string[]) => Promise<void>;
  /** The fields of the target after the change; undefined when nothing contributes to it any more. Pure. */
  apply: (target: T | undefined, change: Change<F>) => Draft<T> | undefined;
};

/** The collections whose records contribute to one of these views. */
export const sourcesOf = (views: readonly View[]): Entity[] => [
  ...new Map(views.flatMap(({ sources }) => sources.map(({ entity }) => [entity.name, entity]))).values(),
];

/** Forgets the types of a source's records: the view hands each record to the function of its own collection. */
export const sourceOf = <S extends Stored, D extends keyof S, F>(
  entity: Entity<S, D>,
  contributions: (record: S) => readonly Contribution<F>[],
): Source<F> => ({ entity, contributions }) as unknown as Source<F>;

/** Forgets the types of a view, for the list of all views. */
export const viewOf = <T extends Stored, D extends keyof T, F>(
  view: Omit<View<T, F>, 'target'> & { target: Entity<T, D> },
): View => view as unknown as View;
