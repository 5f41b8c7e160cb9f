import type { RecordChange } from './changes.ts';
import type { Entity } from './entity.ts';
import { rowOf, type Write } from './io/commit.ts';
import { type MarkNotes, noteMarks } from './journal.ts';
import {
  type Adds,
  addChanges,
  addMarks,
  type ContributionChange,
  countOfEffective,
  markChanges,
  type RecordPlace,
  rankChanges,
} from './layout/contribution.ts';
import type { Keys } from './layout/keys.ts';

/** The rows of a transaction. */
export type Plan = {
  writes: Write[];
  /** The rows of the writes that were counted so far. */
  rows: { names: Set<string>; counted: number };
  adds: Adds;
  /** Of a bulk batch: the changes of marks that its journal entries hold, by collection. */
  notes: Map<string, { keys: Keys; notes: MarkNotes }>;
  /** Journals that must be worked before this batch changes bits of records that stand. */
  journals: Map<string, { keys: Keys; ordinals: Set<number> }>;
  /** For the change feed, by organization. */
  changes: Map<string, RecordChange[]>;
};
/** Adds one change to a plan and does nothing else, so that a batch may plan its steps again (docs/store.md). */
export type Step = (plan: Plan) => void;

export function planOf(steps: readonly Step[]): Plan {
  const plan: Plan = {
    writes: [],
    rows: { names: new Set(), counted: 0 },
    adds: new Map(),
    notes: new Map(),
    journals: new Map(),
    changes: new Map(),
  };
  for (const step of steps) step(plan);
  return plan;
}

/** The number of rows that the writes are of: several of one row become one. */
function rowsWritten({ writes, rows }: Plan): number {
  for (; rows.counted < writes.length; rows.counted++) {
    const write = writes[rows.counted];
    if (write) rows.names.add(rowOf(write));
  }
  return rows.names.size;
}

/** The number of rows in the transaction. */
export const rowsOfPlan = (plan: Plan): number =>
  rowsWritten(plan) + countOfEffective(plan.adds) + plan.notes.size + plan.changes.size;

type PlannedChange = { change: ContributionChange; entity: Pick<Entity, 'journal'>; bulk: boolean };

/** Plans the difference that a change makes to counters, positions, ranks and marks. */
export function planChange(plan: Plan, place: RecordPlace, { change, entity, bulk }: PlannedChange): void {
  addChanges(plan.adds, place, change);
  const { put, remove } = rankChanges(place, change);
  plan.writes.push(...put.map((row) => ({ put: row })), ...remove.map((row) => ({ remove: row })));
  const marks = markChanges(change);
  if (marks.set.length + marks.clear.length === 0) return;
  const inJournal = bulk && entity.journal;
  planMarks(plan, place, { marks, inJournal });
  if (!entity.journal || inJournal) return;
  const { pk } = place.keys.journal('');
  const journal = plan.journals.get(pk) ?? { keys: place.keys, ordinals: new Set() };
  plan.journals.set(pk, journal);
  journal.ordinals.add(place.ordinal);
}

type PlannedMarks = { marks: ReturnType<typeof markChanges>; inJournal: boolean };

export function planMarks({ adds, notes }: Plan, place: RecordPlace, { marks, inJournal }: PlannedMarks): void {
  if (!inJournal) {
    addMarks(adds, place, marks);
    return;
  }
  const { pk } = place.keys.journal('');
  const of = notes.get(pk) ?? { keys: place.keys, notes: new Map() };
  notes.set(pk, of);
  noteMarks(of.notes, place.ordinal, marks);
}
