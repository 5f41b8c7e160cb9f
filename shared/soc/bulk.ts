import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Alert, alerts, type StoredAlert } from '../entities/alert.ts';
import { Person } from '../entities/person.ts';
import type { Item } from '../findings/many/found.ts';
import { decideEach, placeOf } from '../findings/many/records.ts';
import type { Decided, Part } from '../findings/many/slices.ts';
import { now } from '../runtime/clock.ts';
import { recordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import { type AlertRow, changeAlert, decideAlert } from './change-alert.ts';

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

/** A change of many alerts as its task keeps it, with the person whom it names. */
export const StoredAlertBulk = z.object({
  changes: AlertBulkChanges,
  reason: z.string().optional(),
  assignee: Person.optional(),
});
export type StoredAlertBulk = z.infer<typeof StoredAlertBulk>;

/** Many alerts as a part of a task: each is changed as a PATCH of it alone would change it. */
export const alertsPart = (table: Table, select: Part['select'], bulk: StoredAlertBulk): Part => ({
  select,
  decide: async (items) =>
    decideEach<AlertRow>(items, {
      name: 'alert',
      found: await alertsAt(table, items),
      decide: (standing) => decided(bulk, standing),
    }),
  collections: [alerts],
});

const alertsAt = (table: Table, items: readonly Item[]) =>
  recordsAt<StoredAlert, 'description'>(table, alerts, [...new Set(items.map(placeOf))]);

function decided({ changes, reason, assignee }: StoredAlertBulk, standing: AlertRow): Decided['change'] {
  const differing = Object.entries(changes).filter(
    ([name, value]) => !isDeepStrictEqual(Reflect.get(standing, name), value),
  );
  if (differing.length === 0) return undefined;
  const around = { at: now(), assignee, namesStatus: changes.status !== undefined };
  const decision = decideAlert(standing, Object.fromEntries(differing), around);
  return ({ table, batch, at, taskId }) => {
    changeAlert({ table, batch }, standing, { changes: decision, at, reason, taskId });
    return undefined;
  };
}
