import { type Part, workParts } from '#shared/findings/bulk/slices.ts';
import type { Undoable } from '#shared/findings/bulk/undo-rows.ts';
import { StoredWanted, selectWanted } from '#shared/findings/bulk/wanted.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { assertTakesAlerts } from '#shared/soc/alerts/change-alert.ts';
import { alertsBulk, incidentsBulk, StoredAlertBulk, StoredIncidentBulk } from '#shared/soc/incidents/bulk.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { readUndone, undoneOf } from './undone.ts';

type Result = Promise<Record<string, unknown> | undefined>;

const AlertsInput = StoredAlertBulk.extend({ wanted: StoredWanted });
const IncidentsInput = StoredIncidentBulk.extend({ wanted: StoredWanted });

/** Makes the changes of one request to all alerts that it names or that fit its filter. */
export async function updateAlerts(work: Work): Result {
  const { wanted, ...bulk } = AlertsInput.parse(work.task.input);
  return workPart(
    work,
    alertsBulk.part(work.table, () => selectWanted(work, wanted, alerts), bulk),
  );
}

/** The same for incidents. */
export async function updateIncidents(work: Work): Result {
  const { wanted, ...bulk } = IncidentsInput.parse(work.task.input);
  return workPart(
    work,
    incidentsBulk.part(work.table, () => selectWanted(work, wanted, incidents), bulk),
  );
}

const workPart = async (work: Work, part: Part) => (await workParts(work, [part]))?.[0];

/** Restores in alerts the values that a bulk change replaced, but no incident that was closed since. */
export async function undoAlertsUpdate(work: Work): Result {
  const undone = await readUndone(work);
  const formerOf = ({ from }: Undoable) => (typeof from.incidentId === 'string' ? [from.incidentId] : []);
  const ids = [...new Set([...undone.known.values()].flatMap(formerOf))];
  const former = new Map((await work.table.findMany(incidents, ids, true)).map((one) => [one.id, one]));
  const check = (one: Undoable) => {
    const [incident] = formerOf(one).flatMap((id) => former.get(id) ?? []);
    if (incident) assertTakesAlerts(incident);
  };
  return undoneOf(await workPart(work, alertsBulk.undoPart(work.table, { ...undone, check })));
}

export async function undoIncidentsUpdate(work: Work): Result {
  return undoneOf(await workPart(work, incidentsBulk.undoPart(work.table, await readUndone(work))));
}
