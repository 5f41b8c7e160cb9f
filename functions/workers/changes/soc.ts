import { type Part, workParts } from '#shared/findings/bulk/slices.ts';
import type { Undoable } from '#shared/findings/bulk/undo-rows.ts';
import { StoredWanted, selectWanted } from '#shared/findings/bulk/wanted.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { assertTakesAlerts } from '#shared/soc/alerts/change-alert.ts';
import {
  alertsKind,
  bulkPart,
  incidentsKind,
  StoredAlertBulk,
  StoredIncidentBulk,
  type Undone,
  undoPart,
} from '#shared/soc/incidents/bulk.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { readUndone, undoesOf, undoneOf } from './undone.ts';

const wanted = { wanted: StoredWanted };
const AlertsInput = StoredAlertBulk.extend(wanted);
const IncidentsInput = StoredIncidentBulk.extend(wanted);

/** Makes the changes of one request to all alerts that it names or that fit its filter. */
export async function updateAlerts(work: Work): Promise<Record<string, unknown> | undefined> {
  const { wanted, ...bulk } = AlertsInput.parse(work.task.input);
  const select = () => selectWanted(work, wanted, alerts);
  return (await workParts(work, [bulkPart(work.table, alertsKind, { select, bulk })]))?.[0];
}

/** The same for incidents. */
export async function updateIncidents(work: Work): Promise<Record<string, unknown> | undefined> {
  const { wanted, ...bulk } = IncidentsInput.parse(work.task.input);
  const select = () => selectWanted(work, wanted, incidents);
  return (await workParts(work, [bulkPart(work.table, incidentsKind, { select, bulk })]))?.[0];
}

type Session = { work: Work; undoes: string; known: Undone['known'] };

async function openUndo(work: Work): Promise<Session> {
  return { work, undoes: undoesOf(work), known: await readUndone(work) };
}

async function undo({ work }: Session, part: Part): Promise<Record<string, unknown> | undefined> {
  const result = (await workParts(work, [part]))?.[0];
  return result && undoneOf(result);
}

/** Restores in alerts the values that a bulk change replaced, but no incident that was closed since. */
export async function undoAlertsUpdate(work: Work): Promise<Record<string, unknown> | undefined> {
  const session = await openUndo(work);
  const formerOf = ({ from }: Undoable) => (typeof from.incidentId === 'string' ? [from.incidentId] : []);
  const ids = [...new Set([...session.known.values()].flatMap(formerOf))];
  const former = new Map((await work.table.findMany(incidents, ids, true)).map((one) => [one.id, one]));
  const check = (undone: Undoable) => {
    const [incident] = formerOf(undone).flatMap((id) => former.get(id) ?? []);
    if (incident) assertTakesAlerts(incident);
  };
  return undo(session, undoPart(work.table, alertsKind, { ...session, check }));
}

export async function undoIncidentsUpdate(work: Work): Promise<Record<string, unknown> | undefined> {
  const session = await openUndo(work);
  return undo(session, undoPart(work.table, incidentsKind, session));
}
