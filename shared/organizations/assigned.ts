import { assets } from '#shared/assets/asset/asset.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { remediations } from '#shared/findings/triage/remediation.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';

/** The number of records of each kind that are assigned to an account or a team, or are its own. */
export async function assignedTo(table: Table, id: string) {
  const of = async <T extends Stored, D extends keyof T>(entity: Entity<T, D>, mark: 'assigneeId' | 'owner') =>
    (await table.list(entity, { paginateFrom: 0, paginateSize: 1, where: { [mark]: id } })).totalCount;
  const [ofFindings, ofVulnerabilities, ofAlerts, ofIncidents, ofRemediations, ofAssets, ofApplications] =
    await Promise.all([
      of(findings, 'assigneeId'),
      of(vulnerabilities, 'assigneeId'),
      of(alerts, 'assigneeId'),
      of(incidents, 'assigneeId'),
      of(remediations, 'assigneeId'),
      of(assets, 'owner'),
      of(applications, 'owner'),
    ]);
  return {
    findings: ofFindings,
    vulnerabilities: ofVulnerabilities,
    alerts: ofAlerts,
    incidents: ofIncidents,
    remediations: ofRemediations,
    assets: ofAssets,
    applications: ofApplications,
  };
}
