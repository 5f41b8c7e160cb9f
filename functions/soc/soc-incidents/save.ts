import { accountOf, personOf } from '#shared/findings/triage/people.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { commonOfAll } from '#shared/soc/alerts/alert-place.ts';
import { changeIncident, decideIncident } from '#shared/soc/incidents/change-incident.ts';
import { Incident, incidents, type StoredIncident } from '#shared/soc/incidents/incident.ts';
import { readAlerts, setAlerts } from '#shared/soc/incidents/incident-alerts.ts';
import type { socIncidentRoutes } from './routes.ts';
import { view } from './view.ts';

type Named = { assigneeId?: string | null; memberIds?: string[]; alertIds?: string[]; detectedAt?: string };
type Place = { table: Table; caller: Caller };

/** The assignee, and what the alerts have in common; everybody and every alert that the request names exists. @throws validation_failed */
async function checked({ table, caller }: Place, { assigneeId, memberIds = [], alertIds = [], detectedAt }: Named) {
  if (detectedAt && detectedAt > now()) throw invalid('detectedAt', 'must be in the past');
  const [assignee, named] = await Promise.all([
    assigneeId ? personOf(table, caller, { path: 'assigneeId', id: assigneeId }) : undefined,
    readAlerts(table, alertIds),
    ...memberIds.map((id, i) => accountOf(table, caller, { path: `memberIds.${i}`, id })),
  ]);
  return { assignee, ...commonOfAll(named) };
}

/** Makes an incident, in one transaction with its first alerts. */
export async function createIncident(call: Call<typeof socIncidentRoutes.createIncident>): Promise<StoredIncident> {
  const { table, caller, body } = call;
  const { assignee = null, common } = await checked({ table, caller }, body);
  const { alertIds = [], ...fields } = body;
  const at = now();
  const [id = ''] = await table.reserve(incidents, 1);
  const created = table.stamp<StoredIncident>({
    ...fields,
    id,
    assignee,
    status: 'open',
    detectedAt: body.detectedAt ?? at,
    acknowledgedAt: assignee && at,
    containedAt: null,
    closedAt: null,
    reopenedAt: null,
    reopenedCount: 0,
    common,
  });
  await setAlerts(table, created, { ids: alertIds, also: (batch) => void batch.create(incidents, created) });
  return created;
}

export const updateIncident = (call: Call<typeof socIncidentRoutes.updateIncident>): Promise<StoredIncident> =>
  retry(async () => {
    const { table, caller, params, body, ifMatch } = call;
    const current = await table.get(incidents, params.id, true);
    const wanted = mergePatch(Incident, await view(table, current), { patch: body, ifMatch });
    if (!wanted) return current;
    const { assignee, common } = await checked({ table, caller }, wanted);
    const { alertIds, alerts: _alerts, detectedAt = current.detectedAt, ...fields } = wanted;
    const at = now();
    const changes = {
      ...decideIncident(current, { ...fields, detectedAt }, { at, assignee }),
      ...(alertIds && { common }),
    };
    const change = { changes, at, reason: body.reason ?? undefined };
    if (alertIds) {
      const after = { ...current, ...changes };
      const also = (batch: ReturnType<Table['batch']>) => void changeIncident({ table, batch }, current, change);
      await setAlerts(table, after, { ids: alertIds, also });
    } else {
      await table.commit((batch) => changeIncident({ table, batch }, current, change));
    }
    return table.get(incidents, params.id, true);
  });
