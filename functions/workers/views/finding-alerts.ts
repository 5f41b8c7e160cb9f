import { type FindingAlerts, readSettings } from '#shared/credentials/organization-settings.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { isOpen } from '#shared/findings/finding/finding-status.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { Announced } from '#shared/platform/feed/log.ts';
import type { RecordChange } from '#shared/platform/table/changes.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { AssetType } from '#shared/reports/report/asset-type.ts';
import { raiseAlerts } from '#shared/soc/alerts/raise.ts';

/** Whether a finding needs an alert, for each setting. */
const CALLS: Record<FindingAlerts, (finding: FindingRow) => boolean> = {
  off: () => false,
  critical: ({ severity }) => severity === 'critical',
  high: ({ severity }) => severity === 'critical' || severity === 'high',
  exploited: ({ kev }) => kev === true,
};

/**
 * The fields whose change may make an open finding need an alert: the feed of exploited vulnerabilities moves the
 * priority.
 */
const MOVING = ['status', 'severity', 'priority'];

const mayCall = ({ kind, entity, fields }: RecordChange): boolean =>
  entity === findings.name && kind !== 'deleted' && MOVING.some((name) => name in fields);

/**
 * Raises alerts for findings according to the organization's setting. The follower may see a change again: each finding
 * counts once.
 */
export function findingAlertFollower({ table }: { table: Table }) {
  return async (announced: readonly Announced[]): Promise<void> => {
    const ids = [...new Set(announced.flatMap(({ change }) => (change && mayCall(change) ? change.id : [])))];
    if (ids.length === 0) return;
    const { findingAlerts } = await readSettings(table);
    if (findingAlerts === 'off') return;
    const rows: FindingRow[] = await table.findMany(findings, ids, true);
    const calling = rows.filter((row) => isOpen(row.status) && CALLS[findingAlerts](row));
    if (calling.length > 0) await raiseAlerts(table, ORIGIN, calling.map(eventOf(findingAlerts)));
  };
}

const ORIGIN = { id: 'finding', zone: null };

/** Findings of an asset are one alert within a window: an import may bring a thousand. */
const eventOf = (rule: FindingAlerts) => (finding: FindingRow) => {
  const { id, asset, severity, reopenedCount, firstSeenAt, reopenedAt } = finding;
  const at = reopenedAt ?? firstSeenAt;
  return {
    title: `${rule === 'exploited' ? 'Exploited' : 'Grave'} findings on ${asset.name}`,
    severity,
    description: `The first one is "${finding.title}" (${finding.tool}). The findings of the asset with their status: GET /api/v1/findings?assetId=${asset.id}`,
    source: { kind: 'finding' as const, ruleId: null, ruleName: `findingAlerts: ${rule}`, collectorId: null },
    attackTechniques: [],
    entities: entitiesOf(asset),
    dedupKey: asset.id,
    eventKey: `${id} ${reopenedCount}`,
    eventCount: 1,
    firstEventAt: at,
    lastEventAt: at,
  };
};

const ENTITIES: Partial<Record<AssetType, 'host' | 'domain' | 'url' | 'cloud_resource'>> = {
  host: 'host',
  edr_device: 'host',
  domain: 'domain',
  url: 'url',
  repository: 'url',
  cloud_resource: 'cloud_resource',
  cloud_account: 'cloud_resource',
};

function entitiesOf({ id: assetId, type, name }: FindingRow['asset']) {
  const as = ENTITIES[type];
  return as ? [{ type: as, value: name, assetId }] : [];
}
