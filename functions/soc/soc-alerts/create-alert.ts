import type { Call } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { alerts, type StoredAlert } from '#shared/soc/alerts/alert.ts';
import { raiseAlerts } from '#shared/soc/alerts/raise.ts';
import { checkedChanges } from './checked.ts';
import type { socAlertRoutes } from './routes.ts';
import { changeOne } from './update-alert.ts';

const MANUAL = { kind: 'manual', ruleId: null, ruleName: null, collectorId: null } as const;

/** Makes the alert that a person wrote, or counts it on one with its key. All is checked before. @throws validation_failed */
export async function createAlert(call: Call<typeof socAlertRoutes.createAlert>): Promise<StoredAlert> {
  const { table, caller, body } = call;
  const { assigneeId, incidentId, firstEventAt = now(), ...fields } = body;
  if (firstEventAt > now()) throw invalid('firstEventAt', 'must be in the past');
  const given = { ...(assigneeId !== null && { assigneeId }), ...(incidentId !== null && { incidentId }) };
  await checkedChanges({ table, caller }, { ...given, entities: body.entities });
  const event = {
    ...fields,
    source: MANUAL,
    eventKey: newId(),
    eventCount: 1,
    firstEventAt,
    lastEventAt: firstEventAt,
  };
  const [raised] = await raiseAlerts(table, { id: 'manual', zone: null }, [event]);
  if (!raised) throw new Error('an alert was not raised');
  if (Object.keys(given).length === 0) return table.get(alerts, raised.alertId, true);
  return changeOne({ table, caller, id: raised.alertId, patch: given });
}
