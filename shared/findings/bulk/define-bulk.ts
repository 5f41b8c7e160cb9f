import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { refusal, refusing } from './decision.ts';
import { type Item, placeOf } from './found.ts';
import type { Changing, Decided, Part } from './slices.ts';
import { assertAsLeft, UNDO_KEPT_DAYS, type Undoable } from './undo-rows.ts';

type Change<R> = { changes: Partial<R>; reason?: string | undefined };

/** How records of one collection are changed many at once. `W` is what a request wants, as its task keeps it. */
type Bulk<R extends { id: string }, W> = {
  /** The name of such a record in messages. */
  name: string;
  collection: Part['collections'][number];
  /** The current records of at least these ordinals. */
  read: (table: Table, ordinals: readonly number[]) => Promise<readonly R[]>;
  /** The change that a PATCH of this record would make; undefined if there is none. @throws ApiError for a refusal */
  decide: (current: R, wanted: W) => Change<R> | undefined;
  /** @returns what may be undone */
  apply: (to: Changing, current: R, change: Change<R>) => Undoable;
  /** The changes that bring a record back to these values, which it had before. */
  restore: (current: R, from: Undoable['from']) => Partial<R>;
};

/** The changes of an earlier task by the id of the record. `check` refuses what cannot be restored any more. */
export type Undone = {
  undoes: string;
  known: ReadonlyMap<string, Undoable>;
  check?: (undone: Undoable) => void;
};

/** The decisions, the part of a task and the part of its undo for records of one collection. */
export function defineBulk<R extends { id: string }, W>({
  name,
  collection,
  read,
  decide,
  apply,
  restore,
}: Bulk<R, W>) {
  type Decide = (current: R) => Change<R> | undefined;

  async function decideEach(table: Table, items: readonly Item[], decideOne: Decide): Promise<Decided[]> {
    const found = await read(table, [...new Set(items.map(placeOf))]);
    const current = new Map(found.map((one) => [ordinalOf(one.id), one]));
    return items.map((item) => decideOn(item, current.get(placeOf(item)), decideOne));
  }

  function decideOn(item: Item, current: R | undefined, decideOne: Decide): Decided {
    if (typeof item === 'number' && !current) return { outcome: 'unchanged' };
    if (!current || (typeof item === 'string' && current.id !== item)) {
      const id = String(item);
      return refusal({ id, code: 'not_found', message: `There is no ${name} ${id}.` });
    }
    return refusing<Decided>(current.id, () => {
      const change = decideOne(current);
      return change ? { outcome: 'changed', change: (to) => apply(to, current, change) } : { outcome: 'unchanged' };
    });
  }

  /** The decision on each record, in the order of the selection. */
  const decided = (table: Table, items: readonly Item[], wanted: W): Promise<Decided[]> =>
    decideEach(table, items, (current) => decide(current, wanted));

  return {
    decided,

    part: (table: Table, select: Part['select'], wanted: W): Part => ({
      select,
      decide: (items) => decided(table, items, wanted),
      collections: [collection],
      undoableDays: UNDO_KEPT_DAYS,
    }),

    /** Restores what an earlier task changed, where nobody changed it since. */
    undoPart: (table: Table, { undoes, known, check }: Undone): Part => ({
      select: async () => [...known.keys()],
      collections: [collection],
      decide: (items) =>
        decideEach(table, items, (current) => {
          const undone = known.get(current.id);
          if (!undone) throw new Error(`${name} ${current.id} is selected, and nothing of it is to be undone`);
          assertAsLeft(current, undone);
          check?.(undone);
          return { changes: restore(current, undone.from), reason: `The change by task ${undoes} was undone.` };
        }),
    }),
  };
}
