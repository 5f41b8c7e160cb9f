import { assets } from '#shared/assets/asset/asset.ts';
import { personOf } from '#shared/findings/triage/people.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Alert } from '#shared/soc/alerts/alert.ts';
import { assertTakesAlerts } from '#shared/soc/alerts/change-alert.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';

type Named = Partial<Pick<Alert, 'assigneeId' | 'incidentId' | 'entities'>>;

/**
 * The person that a request names; checks that its incident and its assets exist.
 * @throws validation_failed for a missing record, conflict for a closed incident
 */
export async function checkedChanges(
  { table, caller }: { table: Table; caller: Caller },
  { assigneeId, incidentId, entities = [] }: Named,
): Promise<Alert['assignee'] | undefined> {
  const [assignee] = await Promise.all([
    assigneeId ? personOf(table, caller, { path: 'assigneeId', id: assigneeId }) : undefined,
    incidentId ? assertIncident(table, incidentId) : undefined,
    assertAssets(table, entities),
  ]);
  return assignee;
}

async function assertIncident(table: Table, id: string): Promise<void> {
  const incident = await table.find(incidents, id, true);
  if (!incident) throw invalid('incidentId', 'must be the id of an incident');
  assertTakesAlerts(incident);
}

async function assertAssets(table: Table, entities: Alert['entities']): Promise<void> {
  const ids = entities.flatMap(({ assetId }) => assetId ?? []);
  if (ids.length === 0) return;
  const known = new Set((await table.findMany(assets, ids, true)).map(({ id }) => id));
  const unknown = entities.findIndex(({ assetId }) => assetId !== null && !known.has(assetId));
  if (unknown >= 0) throw invalid(`entities.${unknown}.assetId`, 'must be the id of an asset');
}
