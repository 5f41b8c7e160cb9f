import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Person } from '#shared/credentials/person.ts';
import type { Item } from '#shared/findings/bulk/found.ts';
import { decideEach, placeOf } from '#shared/findings/bulk/records.ts';
import type { Changing, Decided, Part } from '#shared/findings/bulk/slices.ts';
import { assertAsLeft, UNDO_KEPT_DAYS, type Undoable, undoable } from '#shared/findings/bulk/undo-rows.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { recordsAt, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Alert, alerts, type StoredAlert } from '../alerts/alert.ts';
import { type AlertRow, changeAlert, decideAlert } from '../alerts/change-alert.ts';
import { changeIncident, decideIncident } from './change-incident.ts';
import { Incident, incidents, type StoredIncident } from './incident.ts';

const { status, severity, assigneeId, incidentId, resolution } = Alert.shape;

/** The changes that one request may make to many alerts. */
export const AlertBulkChanges = z
  .strictObject({
    status: status.unwrap(),
    severity,
    assigneeId: assigneeId.unwrap(),
    incidentId: incidentId.unwrap(),
    resolution: resolution.unwrap(),
  })
  .partial();

/** The changes that one request may make to many incidents. */
export const IncidentBulkChanges = z
  .strictObject({
    status: Incident.shape.status.unwrap(),
    severity: Incident.shape.severity,
    assigneeId: Incident.shape.assigneeId.unwrap(),
  })
  .partial();

const bulkOf = <C extends z.ZodType>(changes: C) =>
  z.object({ changes, reason: z.string().optional(), assignee: Person.optional() });

/** A change of many records as its task keeps it, with the person whom it names. */
export const StoredAlertBulk = bulkOf(AlertBulkChanges);
export const StoredIncidentBulk = bulkOf(IncidentBulkChanges);
export type Bulk<C> = { changes: C; reason?: string | undefined; assignee?: z.infer<typeof Person> | undefined };

type Update<R> = { changes: Partial<R>; at: string; reason?: string | undefined; taskId: string };

/** Records of the SOC that are changed many at once. */
type Kind<R extends { id: string }, C extends { status?: unknown }> = {
  name: string;
  collection: Part['collections'][number];
  read: (table: Table, ordinals: readonly number[]) => Promise<R[]>;
  decide: (current: R, wanted: C, around: Around) => Partial<R>;
  change: (to: Changing, current: R, update: Update<R>) => unknown;
};
type Around = { at: string; assignee: z.infer<typeof Person> | undefined; namesStatus: boolean };

export const alertsKind: Kind<AlertRow, z.infer<typeof AlertBulkChanges>> = {
  name: 'alert',
  collection: alerts,
  read: (table, ordinals) => recordsAt<StoredAlert, 'description'>(table, alerts, ordinals),
  decide: decideAlert,
  change: changeAlert,
};

export const incidentsKind: Kind<StoredIncident, z.infer<typeof IncidentBulkChanges>> = {
  name: 'incident',
  collection: incidents,
  read: (table, ordinals) => wholeRecordsAt(table, incidents, { ordinals, consistent: true }),
  decide: decideIncident,
  change: changeIncident,
};

/** The change of each record that a PATCH of it alone would make. */
export async function decidedOnEach<R extends { id: string }, C extends { status?: unknown }>(
  table: Table,
  kind: Kind<R, C>,
  { items, bulk }: { items: readonly Item[]; bulk: Bulk<C> },
): Promise<Decided[]> {
  return decideEach<R>(items, {
    name: kind.name,
    found: await kind.read(table, [...new Set(items.map(placeOf))]),
    decide: (current) => decided(kind, current, bulk),
  });
}

/** Many records as a part of a task. */
export const bulkPart = <R extends { id: string }, C extends { status?: unknown }>(
  table: Table,
  kind: Kind<R, C>,
  { select, bulk }: Pick<Part, 'select'> & { bulk: Bulk<C> },
): Part => ({
  select,
  decide: (items) => decidedOnEach(table, kind, { items, bulk }),
  collections: [kind.collection],
  undoableDays: UNDO_KEPT_DAYS,
});

function decided<R extends { id: string }, C extends { status?: unknown }>(
  kind: Kind<R, C>,
  current: R,
  { changes, reason, assignee }: Bulk<C>,
): Decided['change'] {
  const differing = Object.entries(changes).filter(
    ([name, value]) => !isDeepStrictEqual(Reflect.get(current, name), value),
  );
  if (differing.length === 0) return undefined;
  const around = { at: now(), assignee, namesStatus: changes.status !== undefined };
  const decision = kind.decide(current, Object.fromEntries(differing) as C, around);
  return (to) => {
    kind.change(to, current, { changes: decision, at: to.at, reason, taskId: to.taskId });
    return undoable(current, decision);
  };
}

/** `check` refuses what cannot be given back any more. */
export type Undone = { known: ReadonlyMap<string, Undoable>; undoes: string; check?: (undone: Undoable) => void };

/** Gives records back what an earlier task changed of them, where nobody changed it since. */
export const undoPart = <R extends { id: string }, C extends { status?: unknown }>(
  table: Table,
  kind: Kind<R, C>,
  { known, undoes, check }: Undone,
): Part => ({
  select: async () => [...known.keys()],
  collections: [kind.collection],
  decide: async (items) =>
    decideEach<R>(items, {
      name: kind.name,
      found: await kind.read(table, [...new Set(items.map(placeOf))]),
      decide(current) {
        const undone = known.get(current.id);
        if (!undone) throw new Error(`${kind.name} ${current.id} is selected, and nothing of it is to be undone`);
        assertAsLeft(current, undone);
        check?.(undone);
        const changes = formerValues<R>(undone);
        const reason = `The change by task ${undoes} was undone.`;
        return (to) => {
          kind.change(to, current, { changes, at: to.at, reason, taskId: to.taskId });
          return undefined;
        };
      },
    }),
});

/** Fields that were absent become so again. */
const formerValues = <R>({ from }: Undoable): Partial<R> => {
  const absent = (name: string, value: unknown) => (name === 'repairs' ? (value ?? undefined) : value);
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, absent(name, value)])) as Partial<R>;
};
