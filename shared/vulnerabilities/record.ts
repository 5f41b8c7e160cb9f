import type {
  StoredVulnerability,
  Vulnerability,
  VulnerabilityListItem,
  vulnerabilities,
} from '../entities/vulnerability.ts';
import type {
  fixGroups,
  StoredGroup,
  VulnerabilitiesByAdvisory,
  VulnerabilitiesByFix,
} from '../entities/vulnerability-group.ts';
import { factorsOf } from '../findings/priority.ts';
import { ssvcOf } from '../findings/ssvc.ts';
import type { ListItem } from '../table/entity.ts';
import { dangerOf } from './fold.ts';

/** A vulnerability as the table's lists give it. */
type VulnerabilityRow = ListItem<StoredVulnerability, (typeof vulnerabilities.detail)[number]>;

/** The public record of lists. Who made a vulnerability is always the service, so it is not stored in lists. */
export function vulnerabilityListItem(row: VulnerabilityRow): VulnerabilityListItem {
  const { id, version, createdAt, updatedAt, advisoryId, aliases, title, severity, cvss, priority, asset } = row;
  const { findingsCount, tools, tags, firstSeenAt, status, decision, ssvc } = row;
  return {
    ...{ id, version, createdAt, updatedAt, advisoryId, aliases, title, severity, cvss, priority, asset, ssvc },
    ...{ findingsCount, tools, tags, firstSeenAt, status },
    epss: row.epss ?? null,
    kev: row.kev ?? null,
    component: row.component ?? null,
    statusReason: status === decision?.status ? (decision?.reason ?? null) : null,
    acceptance: acceptanceOf(row),
    assignee: row.assignee ?? null,
    dueAt: row.dueAt ?? null,
    fixedAt: row.fixedAt ?? null,
  };
}

/** A risk that is accepted because its findings are has no acceptance of its own: theirs tell who and until when. */
function acceptanceOf({ status, decision }: VulnerabilityRow): VulnerabilityListItem['acceptance'] {
  if (status !== 'risk_accepted' || decision?.status !== 'risk_accepted') return null;
  const { reason = null, approver = null, treatment = 'accept', until = null, restartSla = false } = decision;
  return { reason, approver, treatment, until, restartSla };
}

type Seen = { findings: readonly string[]; lastSeenAt: string };

export function vulnerabilityRecord(row: StoredVulnerability, { findings, lastSeenAt }: Seen): Vulnerability {
  const { asset, advisoryId, ruleIds, said } = row;
  const danger = dangerOf(
    row,
    said.map(([facts]) => facts),
  );
  const isCve = advisoryId.startsWith('CVE-');
  const rule = isCve ? `cve=${advisoryId}` : `ruleId=${encodeURIComponent(ruleIds?.[0] ?? '')}`;
  return {
    ...vulnerabilityListItem(row),
    ...{ findings: [...findings], lastSeenAt, taskId: row.taskId ?? null },
    ...{ priorityFactors: factorsOf(danger), ssvcAnswers: ssvcOf(danger) },
    links: { asset: `/api/v1/assets/${asset.id}`, findings: `/api/v1/findings?assetId=${asset.id}&${rule}` },
  };
}

type GroupRow = ListItem<StoredGroup, (typeof fixGroups.detail)[number]>;

export function advisoryGroup({
  id,
  name: advisoryId,
  open,
  epss,
  kev,
  ...group
}: GroupRow): VulnerabilitiesByAdvisory {
  return { id, advisoryId, open, ...ofBoth(group), epss: epss ?? null, kev: kev ?? false };
}

export function fixGroup({ id, name, purl, fix, open: closes, ...group }: GroupRow): VulnerabilitiesByFix {
  return { id, component: { name, purl: purl ?? null }, version: fix ?? '', closes, ...ofBoth(group) };
}

type OfBoth = Pick<GroupRow, 'severity' | 'priority' | 'openBySeverity' | 'assets'>;
const ofBoth = ({ severity, priority, openBySeverity, assets }: OfBoth): OfBoth => {
  return { severity, priority, openBySeverity, assets };
};
