import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Person } from '#shared/credentials/person.ts';
import { defineBulk } from '#shared/findings/bulk/define-bulk.ts';
import { type Undoable, undoable } from '#shared/findings/bulk/undo-rows.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { recordsAt, wholeRecordsAt } from '#shared/platform/table/selected.ts';
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

/** A stored change of many records, with the person that it names. */
export const StoredAlertBulk = bulkOf(AlertBulkChanges);
export const StoredIncidentBulk = bulkOf(IncidentBulkChanges);
export type Bulk<C> = { changes: C; reason?: string | undefined; assignee?: z.infer<typeof Person> | undefined };

type AlertWish = z.infer<typeof AlertBulkChanges>;
type IncidentWish = z.infer<typeof IncidentBulkChanges>;
type Around = { at: string; assignee: z.infer<typeof Person> | undefined; namesStatus: boolean };

/** The change of a record of the SOC to the values that differ; `decide` adds what follows from them. */
function differing<R, C extends { status?: unknown }>(
  current: R & object,
  { changes, reason, assignee }: Bulk<C>,
  decide: (current: R, wanted: C, around: Around) => Partial<R>,
) {
  const wanted = Object.entries(changes).filter(
    ([name, value]) => !isDeepStrictEqual(Reflect.get(current, name), value),
  );
  if (wanted.length === 0) return undefined;
  const around = { at: now(), assignee, namesStatus: changes.status !== undefined };
  return { changes: decide(current, Object.fromEntries(wanted) as C, around), reason };
}

/** Fields that were absent become so again. */
const formerValues = <R>(_current: R, from: Undoable['from']): Partial<R> => {
  const absent = (name: string, value: unknown) => (name === 'repairs' ? (value ?? undefined) : value);
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, absent(name, value)])) as Partial<R>;
};

export const alertsBulk = defineBulk<AlertRow, Bulk<AlertWish>>({
  name: 'alert',
  collection: alerts,
  read: (table, ordinals) => recordsAt<StoredAlert, 'description'>(table, alerts, ordinals),
  decide: (current, wanted) => differing<AlertRow, AlertWish>(current, wanted, decideAlert),
  apply(to, current, change) {
    changeAlert(to, current, { ...change, at: to.at, taskId: to.taskId });
    return undoable(current, change.changes);
  },
  restore: formerValues,
});

export const incidentsBulk = defineBulk<StoredIncident, Bulk<IncidentWish>>({
  name: 'incident',
  collection: incidents,
  read: (table, ordinals) => wholeRecordsAt(table, incidents, { ordinals, consistent: true }),
  decide: (current, wanted) => differing<StoredIncident, IncidentWish>(current, wanted, decideIncident),
  apply(to, current, change) {
    changeIncident(to, current, { ...change, at: to.at, taskId: to.taskId });
    return undoable(current, change.changes);
  },
  restore: formerValues,
});
