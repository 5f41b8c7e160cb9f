import { currentDay } from '../runtime/clock.ts';
import type { RecordChange } from './changes.ts';
import type { Entity } from './entity.ts';
import { rowOf, type Write } from './io/commit.ts';
import { isNoted, type Noted } from './journal.ts';
import {
  type Adds,
  addChanges,
  addMarks,
  type ContributionChange,
  countOfEffective,
  joinAdds,
  markChanges,
  movesBits,
  type RecordPlace,
  rankChanges,
} from './layout/contribution.ts';
import { addDaily } from './layout/daily.ts';
import { addGrouped } from './layout/grouped.ts';
import type { Keys } from './layout/keys.ts';

/** The rows of a transaction. */
export type Plan = {
  /** Entities that have a journal note changes of counters, positions and marks there. */
  bulk: boolean;
  writes: Write[];
  /** The rows of the writes that were counted so far. */
  rows: { names: Set<string>; counted: number };
  adds: Adds;
  /** For a bulk plan: the changes in its journal entries, by collection. */
  notes: Map<string, { keys: Keys; noted: Noted }>;
  /** Journals that must be worked before this batch changes bits of existing records. */
  journals: Map<string, { keys: Keys; ordinals: Set<number> }>;
  /** For the change feed, by organization. */
  changes: Map<string, RecordChange[]>;
};
/** Adds one change to a plan and does nothing else, so that a batch may plan its steps again (docs/store.md). */
export type Step = (plan: Plan) => void;

export function planOf(steps: readonly Step[], bulk: boolean): Plan {
  const plan: Plan = {
    bulk,
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

/** The number of written rows: several writes of one row become one. */
function rowsWritten({ writes, rows }: Plan): number {
  for (; rows.counted < writes.length; rows.counted++) {
    const write = writes[rows.counted];
    if (write) rows.names.add(rowOf(write));
  }
  return rows.names.size;
}

/** The number of rows in the transaction. */
export const rowsOfPlan = (plan: Plan): number =>
  rowsWritten(plan) + countOfEffective(plan.adds) + entriesOf(plan).length + plan.changes.size;

/** The contents of the batch's entries in journals, by collection. */
export const entriesOf = ({ notes }: Plan) => [...notes.values()].filter(({ noted }) => isNoted(noted));

/** At least the number of rows that both plans have together: rows of both count once. */
export function rowsTogether(plan: Plan, more: Plan): number {
  let count = rowsWritten(plan) + plan.adds.size + plan.notes.size + plan.changes.size;
  const extra = (known: { has(name: string): boolean }, names: Iterable<string>) => {
    for (const name of names) if (!known.has(name)) count++;
  };
  rowsWritten(more);
  extra(plan.rows.names, more.rows.names);
  extra(plan.adds, more.adds.keys());
  extra(plan.notes, more.notes.keys());
  extra(plan.changes, more.changes.keys());
  return count;
}

/** Adds the second plan to the first. */
export function joinPlans(plan: Plan, more: Plan): void {
  plan.writes.push(...more.writes);
  joinAdds(plan.adds, more.adds);
  for (const { keys, noted } of more.notes.values()) {
    const { marks, adds } = notedIn(plan, keys);
    marks.push(...noted.marks);
    joinAdds(adds, noted.adds);
  }
  for (const [pk, { keys, ordinals }] of more.journals) {
    const of = journalIn(plan, pk, keys);
    for (const ordinal of ordinals) of.add(ordinal);
  }
  for (const [tenant, changes] of more.changes) changesIn(plan, tenant).push(...changes);
}

type PlannedChange = { change: ContributionChange; entity: Planned };
type Planned = Pick<Entity, 'journal' | 'grouped'> & { daily: Pick<NonNullable<Entity['daily']>, 'marks'> | undefined };

/** Plans the difference of a change in counters, positions, ranks and marks of an existing record. */
export function planChange(plan: Plan, place: RecordPlace, { change, entity }: PlannedChange): void {
  planDifference(plan, place, { change, entity });
  if (entity.journal && !plan.bulk && movesBits(change))
    journalIn(plan, place.keys.journal('').pk, place.keys).add(place.ordinal);
}

/** The same for a new record, which no journal contains. */
export function planDifference(plan: Plan, place: RecordPlace, { change, entity }: PlannedChange): void {
  const { put, remove } = rankChanges(place, change);
  plan.writes.push(...put.map((row) => ({ put: row })), ...remove.map((row) => ({ remove: row })));
  const marks = markChanges(change);
  if (!(plan.bulk && entity.journal)) {
    addCounts(plan.adds, place, { change, entity });
    addMarks(plan.adds, place, marks);
    return;
  }
  const noted = notedIn(plan, place.keys);
  addCounts(noted.adds, place, { change, entity });
  if (movesBits(change)) noted.marks.push({ ordinal: place.ordinal, ...marks });
}

function addCounts(adds: Adds, place: RecordPlace, { change, entity }: PlannedChange): void {
  addChanges(adds, place, change);
  if (entity.grouped) addGrouped(adds, place, { grouped: entity.grouped, change });
  if (entity.daily) addDaily(adds, place.keys, { marks: entity.daily.marks, change, day: currentDay() });
}

function notedIn({ notes }: Plan, keys: Keys): Noted {
  const { pk } = keys.journal('');
  const of = notes.get(pk) ?? { keys, noted: { marks: [], adds: new Map() } };
  notes.set(pk, of);
  return of.noted;
}

function journalIn({ journals }: Plan, pk: string, keys: Keys): Set<number> {
  const of = journals.get(pk) ?? { keys, ordinals: new Set() };
  journals.set(pk, of);
  return of.ordinals;
}

/** The changes that the feed of one organization reports. */
export function changesIn({ changes }: Plan, tenant: string): RecordChange[] {
  const of = changes.get(tenant) ?? [];
  changes.set(tenant, of);
  return of;
}
