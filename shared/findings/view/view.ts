import { orNull } from '#shared/platform/runtime/given.ts';
import type { ListItem } from '#shared/platform/table/entity.ts';
import type { Finding, FindingListItem, findings, StoredFinding } from '../finding/finding.ts';
import { acceptanceOf } from '../finding/finding-decision.ts';
import { factorsOf } from '../priority/priority.ts';
import { ssvcOf } from '../priority/ssvc.ts';
import { isDueChosen } from '../sla/sla-policies.ts';

/** When a finding was last seen, in how many reports and by which tool, from its scan scope's state. */
export type Seen = { lastSeenAt: string; occurrences: number; tool?: string };

/** The fields that only `get` reads. */
export type FindingDetail = (typeof findings.detail)[number];

/** A finding from a list of the table. */
export type FindingRow = ListItem<StoredFinding, FindingDetail>;

export function findingListItem(row: FindingRow, seen: Seen | undefined): FindingListItem {
  const { lastSeenAt, occurrences } = sightingsOf(row, seen);
  return {
    ...orNull(row, 'toolSeverity', 'cvssScore', 'epss', 'ref', 'assignee', 'dueAt'),
    id: row.id,
    title: row.title,
    severity: row.severity,
    status: row.status,
    reopenedCount: row.reopenedCount,
    priority: row.priority,
    cves: row.cves,
    cwes: row.cwes,
    kev: row.kev ?? false,
    asset: row.asset,
    location: row.location,
    tool: row.tool,
    ruleId: row.ruleId,
    firstSeenAt: row.firstSeenAt,
    lastSeenAt,
    occurrences,
    tags: row.tags,
  };
}

/** The sightings, with those of the findings that were merged into it. */
export function sightingsOf(row: FindingRow, seen: Seen | undefined): Seen {
  const { firstSeenAt, mergedSightings = { lastSeenAt: firstSeenAt, occurrences: 0 } } = row;
  const own = seen?.lastSeenAt ?? row.lastSeenAt ?? firstSeenAt;
  return {
    lastSeenAt: latest(firstSeenAt, latest(own, mergedSightings.lastSeenAt)),
    occurrences: (seen?.occurrences ?? row.occurrences ?? 1) + mergedSightings.occurrences,
  };
}

/** Older states have whole seconds, so that the last sighting may seem earlier than the first one. */
const latest = (a: string, b: string): string => (a > b ? a : b);

export function findingView(stored: StoredFinding, seen: Seen | undefined): Finding {
  const { version, createdAt, updatedAt, createdBy, identifiers } = stored;
  return {
    ...findingListItem(stored, seen),
    ...(identifiers && { cves: identifiers.cves, cwes: identifiers.cwes }),
    version,
    createdAt,
    updatedAt,
    createdBy,
    ...orNull(stored, 'description', 'component', 'cvssVector', 'remediation', 'acknowledgedAt', 'fixedAt'),
    ...orNull(stored, 'taskId', 'engagementId'),
    locationDetail: stored.locationDetail,
    otherLocations: stored.otherLocations ?? [],
    priorityFactors: factorsOf(stored),
    ssvc: stored.cves.length > 0 ? ssvcOf(stored) : null,
    evidence: stored.evidence,
    evidenceFiles: evidenceFilesOf(stored),
    references: stored.references,
    fingerprint: stored.fingerprint,
    fingerprintVersion: stored.fingerprintVersion,
    assigneeId: stored.assignee?.id ?? null,
    dueChosen: isDueChosen(stored),
    severityOverridden: stored.severityOverridden ?? false,
    ...decisionOf(stored),
    remediationIds: stored.remediationIds ?? [],
    mergedFrom: (stored.mergedFrom ?? []).map(({ id }) => id),
    links: linksOf(stored),
  };
}

const evidenceFilesOf = ({ evidenceFiles = 0, mergedFrom = [] }: StoredFinding): number =>
  mergedFrom.reduce((sum, one) => sum + one.evidenceFiles, evidenceFiles);

const decisionOf = (stored: StoredFinding) => ({
  ...orNull(stored, 'acceptedUntil', 'statusReason'),
  restartSla: stored.restartSla ?? false,
  acceptance: acceptanceOf(stored),
  suppressedBy: stored.suppressedBy ? { id: stored.suppressedBy.id, name: stored.suppressedBy.name } : null,
  follows: stored.follows?.vulnerabilityIds ?? [],
});

function linksOf({ asset, taskId, engagementId, fixedByTaskId }: StoredFinding): Record<string, string> {
  return {
    asset: `/api/v1/assets/${asset.id}`,
    ...(taskId && { task: `/api/v1/tasks/${taskId}` }),
    ...(engagementId && { engagement: `/api/v1/validation-operations/engagements/${engagementId}` }),
    ...(fixedByTaskId && { fixedBy: `/api/v1/tasks/${fixedByTaskId}` }),
  };
}
