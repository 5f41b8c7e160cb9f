import { now } from '#shared/platform/runtime/clock.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { readTalliesOf } from '#shared/platform/table/counters.ts';
import { ordinalsOf, recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { alerts, type StoredAlert } from '../alerts/alert.ts';
import { type AlertRow, assertTakesAlerts, changeAlert } from '../alerts/change-alert.ts';
import { alertsIn, rowOfIncident } from '../alerts/incident-alerts.ts';
import { MAX_NAMED_ALERTS, type StoredIncident } from './incident.ts';

type Counted = { total: number; open: number };

/** The number of alerts of incidents, from counters: half a read unit for up to eight neighbouring incidents. */
export async function alertCountsOf(
  { dynamo, tenant }: Pick<Table, 'dynamo' | 'tenant'>,
  ids: readonly string[],
): Promise<(incidentId: string) => Counted> {
  const rows = await readTalliesOf({ dynamo, tenant, entity: alerts }, 'incident', [
    ...new Set(ids.map(rowOfIncident)),
  ]);
  return (id) => alertsIn(rows.get(rowOfIncident(id)) ?? {}, id);
}

/** The ids of its newest alerts. */
export async function alertIdsOf(table: Table, incidentId: string): Promise<string[]> {
  const page = { paginateFrom: 0, paginateSize: MAX_NAMED_ALERTS, where: { incident: incidentId }, consistent: true };
  const { data } = await table.list<StoredAlert, 'description'>(alerts, page);
  return data.map(({ id }) => id);
}

/** @throws validation_failed for ids of no alerts, of which the first is named */
export async function readAlerts(table: Table, ids: readonly string[]): Promise<AlertRow[]> {
  const found = await table.findMany<StoredAlert, 'description'>(alerts, ids, true);
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw invalid(`alertIds.${unknown}`, 'must be the id of an alert');
  return found;
}

/** Changes of the incident itself, for the transaction of the first alerts. */
type Also = (batch: Batch) => void;

/**
 * Makes exactly these alerts part of an incident. `also` and as many alerts as fit are one transaction; further
 * transactions take the rest, and each is harmless to repeat.
 */
export async function setAlerts(
  table: Table,
  incident: Pick<StoredIncident, 'id' | 'status'>,
  { ids, also }: { ids: readonly string[]; also: Also },
): Promise<void> {
  const current = await ordinalsOf(table, alerts, { where: { incident: incident.id } });
  if (current.length > MAX_NAMED_ALERTS)
    throw conflict(`This incident has more than ${MAX_NAMED_ALERTS} alerts: change them by PATCH /api/v1/soc/alerts.`);
  const wanted = new Map(ids.map((id) => [ordinalOf(id), id]));
  const removed = current.filter((ordinal) => !wanted.has(ordinal));
  const added = [...wanted.keys()].filter((ordinal) => !current.includes(ordinal));
  if (added.length > 0) assertTakesAlerts(incident);
  let left: readonly number[] = [...added, ...removed];
  let first: Also | undefined = also;
  do {
    left = await retry(() => moveSome(table, left, { incidentId: incident.id, added, also: first }));
    first = undefined;
  } while (left.length > 0);
  await table.workJournal(alerts);
}

type Moving = { incidentId: string; added: readonly number[]; also: Also | undefined };

/** @returns the alerts that are left for another transaction */
async function moveSome(
  table: Table,
  ordinals: readonly number[],
  { incidentId, added, also }: Moving,
): Promise<number[]> {
  const found = await recordsAt<StoredAlert, 'description'>(table, alerts, ordinals);
  const at = now();
  const batch = table.batch(true);
  also?.(batch);
  const left = found.filter((alert: AlertRow) => {
    const to = added.includes(ordinalOf(alert.id)) ? incidentId : null;
    if (alert.incidentId === to) return false;
    return !batch.takes((some) => changeAlert({ table, batch: some }, alert, { changes: { incidentId: to }, at }));
  });
  if (batch.size() > 0) await batch.commit();
  return left.map(({ id }) => ordinalOf(id));
}
