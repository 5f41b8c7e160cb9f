import { isDeepStrictEqual } from 'node:util';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { assertMove } from '#shared/platform/runtime/state-machine.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { ListItem } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Alert, alerts, type StoredAlert } from './alert.ts';
import { alertMoves, isOpenAlert, moveAlert } from './soc-status.ts';
import { entryWrite } from './timeline.ts';

/** An alert that was read whole, or from a list. */
export type AlertRow = StoredAlert | ListItem<StoredAlert, 'description'>;

/** The fields that a person may set and that a request changes. */
type AlertChanges = Partial<
  Pick<
    StoredAlert,
    | 'title'
    | 'description'
    | 'severity'
    | 'status'
    | 'attackTechniques'
    | 'entities'
    | 'common'
    | 'assigneeId'
    | 'incidentId'
    | 'resolution'
  >
>;

type Circumstances = {
  at: string;
  /** The new assignee, where `assigneeId` changes. */
  assignee: Alert['assignee'] | undefined;
  /** The request names a status, even the current one. */
  namesStatus: boolean;
};

/**
 * The changes that a person's decision makes to an alert. A new alert that gets an assignee is acknowledged, unless the request
 * names a status.
 * @throws conflict for a status that cannot follow
 */
export function decideAlert(
  current: AlertRow,
  wanted: AlertChanges,
  { at, assignee = null, namesStatus }: Circumstances,
): Partial<StoredAlert> {
  const isTaken = !namesStatus && current.status === 'new' && Boolean(wanted.assigneeId);
  const to = wanted.status ?? (isTaken ? 'acknowledged' : current.status);
  if (to !== current.status) assertMove(alertMoves, { name: 'An alert', from: current.status, to });
  const isBack = !isOpenAlert(current.status) && isOpenAlert(to);
  return {
    ...(isBack && { resolution: null }),
    ...wanted,
    ...(to !== current.status && moveAlert(current, to, at)),
    ...(wanted.assigneeId !== undefined && { assignee: wanted.assigneeId ? assignee : null }),
  };
}

/** The fields whose changes the timeline shows. */
const KEPT = [
  'title',
  'severity',
  'status',
  'attackTechniques',
  'entities',
  'assignee',
  'incidentId',
  'resolution',
] as const;

type AlertUpdate = { changes: Partial<StoredAlert>; at: string; reason?: string | undefined; taskId?: string };

/** Changes an alert together with its timeline, and with the timelines of the incidents that it leaves and joins. */
export function changeAlert(
  { table, batch }: { table: Table; batch: Batch },
  current: AlertRow,
  { changes, at, reason, taskId }: AlertUpdate,
): AlertRow {
  const next = batch.update<StoredAlert, 'description'>(
    alerts,
    current,
    table.changed<StoredAlert, 'description'>(current, changes),
  );
  const names = KEPT.filter((name) => !isDeepStrictEqual(current[name], next[name]));
  const changed = names.map((name) => [name, { from: current[name], to: next[name] }] as const);
  const entry = { at, text: reason, taskId };
  if (changed.length > 0)
    batch.write(entryWrite(table, next.id, { ...entry, kind: 'changed', changes: Object.fromEntries(changed) }));
  const [left, joined] = [current.incidentId, next.incidentId];
  if (left === joined) return next;
  if (left) batch.write(entryWrite(table, left, { ...entry, kind: 'alert_removed', alertId: next.id }));
  if (joined) batch.write(entryWrite(table, joined, { ...entry, kind: 'alert_added', alertId: next.id }));
  return next;
}

/** @throws conflict for an incident that takes no alerts any more */
export function assertTakesAlerts({ status }: { status: string }): void {
  if (status === 'closed')
    throw conflict('This incident is closed: set its status to investigating before you add alerts.');
}
