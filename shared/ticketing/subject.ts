import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { mergedFindings } from '#shared/findings/finding/merged-finding.ts';
import { findFinding } from '#shared/findings/view/find.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import { type StoredVulnerability, vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { fixGroups, type StoredGroup } from '#shared/vulnerabilities/vulnerability/vulnerability-group.ts';
import { findingKey, fixTicketKey, vulnerabilityKey } from './keys.ts';
import type { SubjectStatus, Ticket } from './ticket.ts';

/** A finding, vulnerability or fix, as a ticket describes it. */
export type Subject = {
  /** By which it has one ticket. */
  key: string;
  title: string;
  severity: Severity;
  priority: number;
  status: Exclude<SubjectStatus, 'gone'>;
  reason: string | undefined;
  asset: string;
  advisories: readonly string[];
  dueAt: string | undefined;
  /** The path of its page in this service. */
  path: string;
  /** Further paragraphs of the description of the issue. */
  details: readonly (string | undefined)[];
};

/** The current subject; undefined where it is gone. */
export async function readSubject(
  table: Table,
  { subject: { type, id }, key }: Pick<Ticket, 'subject'> & { key?: string },
): Promise<Subject | undefined> {
  if (type === 'finding') return subjectOf(await currentFinding(table, id), ofFinding);
  if (type === 'vulnerability') return subjectOf(await table.find(vulnerabilities, id, true), ofVulnerability);
  const value = key?.slice(fixTicketKey('').length);
  const group = value ? await table.findUnique(fixGroups, { field: 'key', value }, true) : undefined;
  return subjectOf(group ?? (await table.find(fixGroups, id, true)), ofFix);
}

const subjectOf = <T>(record: T | undefined, as: (record: T) => Subject): Subject | undefined => record && as(record);

/** A finding that was merged into another is that other finding from then on. */
async function currentFinding(table: Table, id: string): Promise<StoredFinding | undefined> {
  const found = await findFinding(table, id);
  if (found) return found.finding;
  const merged = await table.find(mergedFindings, id, true);
  return merged?.mergedInto ? table.find(findings, merged.mergedInto, true) : undefined;
}

const ofFinding = (finding: StoredFinding): Subject => ({
  key: findingKey(finding.id),
  title: finding.title,
  severity: finding.severity,
  priority: finding.priority,
  status: finding.status,
  reason: finding.statusReason,
  dueAt: finding.dueAt,
  asset: finding.asset.name,
  advisories: finding.cves,
  path: `/api/v1/findings/${finding.id}`,
  details: [
    `Found by ${finding.tool} (${finding.ruleId}) at ${finding.location}`,
    finding.description,
    finding.remediation,
  ],
});

const ofVulnerability = (one: StoredVulnerability): Subject => ({
  key: vulnerabilityKey(one.key),
  title: `${one.title} on ${one.asset.name}`,
  severity: one.severity,
  priority: one.priority,
  status: one.status,
  reason: one.decision?.reason,
  dueAt: one.dueAt,
  asset: one.asset.name,
  advisories: [one.advisoryId, ...one.aliases],
  path: `/api/v1/vulnerabilities/${one.id}`,
  details: [componentText(one), one.kev && 'It is known to be exploited (CISA KEV).'],
});

function componentText({ component }: StoredVulnerability): string | undefined {
  if (!component) return undefined;
  const { name, version, fixedVersions } = component;
  const fix = fixedVersions.length > 0 ? ` It is fixed in ${fixedVersions.join(', ')}.` : '';
  return `The component is ${name}${version ? ` ${version}` : ''}.${fix}`;
}

/** A group exists while one of its vulnerabilities is open. */
export const ofFix = (group: StoredGroup): Subject => ({
  key: fixTicketKey(group.key),
  title: `Upgrade ${group.name} to ${group.fix}`,
  severity: group.severity,
  priority: group.priority,
  status: 'open',
  reason: undefined,
  dueAt: undefined,
  asset: `${group.assets} assets`,
  advisories: [],
  path: `/api/v1/vulnerabilities?component=${encodeURIComponent(group.name)}`,
  details: [`The upgrade closes ${group.open} open vulnerabilities.`],
});
