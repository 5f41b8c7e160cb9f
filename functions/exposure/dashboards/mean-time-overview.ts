import { findings } from '#shared/findings/finding/finding.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { MeanTimeOverview } from '#shared/reporting/figures/mean-time-records.ts';
import { meanTimesOf } from '#shared/reporting/figures/mean-times.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { listedMeanTimes } from './mean-time-lists.ts';

/** The mean times of each kind of record that is worked until it ends. */
export const meanTimes = {
  findings: async (table: Table) => listedMeanTimes(await meanTimesOf(table, findings), 'findings'),
  vulnerabilities: async (table: Table) =>
    listedMeanTimes(await meanTimesOf(table, vulnerabilities), 'vulnerabilities'),
  alerts: async (table: Table) => listedMeanTimes(await meanTimesOf(table, alerts, ['detect']), 'alerts'),
  incidents: async (table: Table) => listedMeanTimes(await meanTimesOf(table, incidents, ['contain']), 'incidents'),
};

/** Some twenty small reads beside each other. */
export async function meanTimeOverview(table: Table): Promise<MeanTimeOverview> {
  const [findings, vulnerabilities, alerts, incidents] = await Promise.all([
    meanTimes.findings(table),
    meanTimes.vulnerabilities(table),
    meanTimes.alerts(table),
    meanTimes.incidents(table),
  ]);
  return { findings, vulnerabilities, alerts, incidents };
}
