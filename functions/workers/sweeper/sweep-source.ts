import { raiseAlerts } from '#shared/soc/alerts/raise.ts';
import { collectors } from '#shared/soc/siem/collector.ts';
import { settleSource } from '#shared/soc/siem/sources.ts';
import type { Due } from './due.ts';

/** The rule of the alerts about silent sources. */
const RULE = { ruleId: 'siem-source-silent', ruleName: 'Source of events is silent' };

/** A source that is silent is shown so and makes an alert, once for each silence: its last event names the alert. */
export async function sweepSource({ table, timer, drop }: Due): Promise<void> {
  const current = await settleSource(table, timer.id);
  if (current?.source.status === 'silent' && current.source.alertWhenSilent) {
    const { source, state } = current;
    const { id, name, collectorId } = source;
    const collector = await table.find(collectors, collectorId);
    const at = new Date(state.lastReceivedAt).toISOString();
    const entities = collector?.hostname ? [{ type: 'host' as const, value: collector.hostname, assetId: null }] : [];
    const event = {
      eventKey: `silence/${id}/${at}`,
      dedupKey: `silence/${id}/${at}`,
      eventCount: 1,
      title: `The source ${name} is silent since ${at}`,
      description: 'Its collector may be stopped, or something keeps its events from coming.',
      severity: 'medium' as const,
      attackTechniques: [],
      entities,
      source: { kind: 'siem' as const, ...RULE, collectorId },
      firstEventAt: at,
      lastEventAt: at,
    };
    await raiseAlerts(table, { id: 'siem', zone: collector?.zone ?? null }, [event]);
  }
  await drop();
}
