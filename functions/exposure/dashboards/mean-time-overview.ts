import { applications } from '#shared/exposure/applications/application.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { MeanTimeMetrics, MeanTimeOverview } from '#shared/reporting/figures/mean-time-records.ts';
import { meanTimesOf } from '#shared/reporting/figures/mean-times.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { type AskedGroup, groupsOf } from './mean-time-groups.ts';
import { listedMeanTimes } from './mean-time-lists.ts';

const KINDS = {
  findings: { entity: findings, also: [] },
  vulnerabilities: { entity: vulnerabilities, also: [] },
  alerts: { entity: alerts, also: ['detect'] },
  incidents: { entity: incidents, also: ['contain'] },
} as const;
type Kind = keyof typeof KINDS;

/**
 * The mean times of a kind of record that is worked until it ends.
 * @throws insufficient_scope, validation_failed, not_found for the application
 */
export async function meanTimes(table: Table, kind: Kind, asked: AskedGroup): Promise<MeanTimeMetrics> {
  const { entity, also } = KINDS[kind];
  const groups = groupsOf(table.part, asked);
  const [measures] = await Promise.all([
    meanTimesOf(table, entity, { also, groups }),
    asked.applicationId === undefined ? undefined : table.get(applications, asked.applicationId),
  ]);
  return listedMeanTimes(measures, kind, asked);
}

/** Some twenty small reads beside each other. */
export async function meanTimeOverview(table: Table, asked: AskedGroup): Promise<MeanTimeOverview> {
  const [findings, vulnerabilities, alerts, incidents] = await Promise.all([
    meanTimes(table, 'findings', asked),
    meanTimes(table, 'vulnerabilities', asked),
    meanTimes(table, 'alerts', asked),
    meanTimes(table, 'incidents', asked),
  ]);
  return { findings, vulnerabilities, alerts, incidents };
}
