import { now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { MAX_ENTITIES } from '#shared/soc/alerts/alert.ts';
import { isTechnique, MAX_TECHNIQUES } from '#shared/soc/alerts/attack-technique.ts';
import { raiseAlerts } from '#shared/soc/alerts/raise.ts';
import { integrators } from '#shared/soc/incidents/integrator.ts';
import { IntegratorAlert } from './alert-item.ts';
import { answerEach, checkEach, usable } from './batch.ts';
import type { AlertBatchAnswer } from './routes.ts';

/** Raises the usable alerts of a batch. */
export async function takeAlerts(
  table: Table,
  machineId: string,
  batch: readonly unknown[],
): Promise<AlertBatchAnswer> {
  const checked = checkEach(IntegratorAlert, batch);
  const { zone } = await table.get(integrators, machineId);
  const items = usable(checked);
  const raised = await raiseAlerts(table, { id: machineId, zone }, items.map(eventOf));
  const results = new Map(items.map((item, i) => [item, raised[i]] as const));
  return {
    results: answerEach(checked, (item) => {
      const unknown = item.attackTechniques.filter((id) => !isTechnique(spelled(id)));
      return { ...results.get(item), ...(unknown.length > 0 && { unknownTechniques: unknown }) };
    }),
  };
}

const spelled = (id: string): string => id.trim().toUpperCase();

function eventOf(item: IntegratorAlert) {
  const { externalId, title, description = null, severity, source: kind, dedupKey = null, eventCount } = item;
  const { ruleId = null, ruleName = null, firstEventAt, lastEventAt = firstEventAt } = item;
  const present = now();
  const first = notAfter(present, firstEventAt);
  const last = notAfter(present, lastEventAt);
  return {
    eventKey: externalId,
    title,
    description,
    severity,
    dedupKey,
    eventCount,
    source: { kind, ruleId, ruleName, collectorId: null },
    attackTechniques: item.attackTechniques.map(spelled).filter(isTechnique).slice(0, MAX_TECHNIQUES),
    entities: item.entities.slice(0, MAX_ENTITIES).map((entity) => ({ ...entity, assetId: null })),
    firstEventAt: first,
    lastEventAt: last < first ? first : last,
  };
}

const notAfter = (present: string, time: string | undefined): string =>
  time === undefined || time > present ? present : time;
