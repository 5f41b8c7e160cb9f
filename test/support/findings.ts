import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { priorityOf } from '#shared/findings/priority/priority.ts';
import { DEFAULT_POLICIES, dueFields, type Sla } from '#shared/findings/sla/sla-policies.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Draft } from '#shared/platform/table/table.ts';

const assetId = newId();

/** Of an organization that never changed its policies. */
export const DEFAULT_SLA: Sla = { policies: DEFAULT_POLICIES, assets: new Map() };

/** A finding as an ingest would make it at `at`. */
export function findingDraft(at: string, fields: Partial<Draft<StoredFinding>> = {}): Draft<StoredFinding> {
  const severity = fields.severity ?? 'high';
  const fingerprint = newId();
  return {
    title: 'SQL built from input',
    severity,
    status: 'open',
    reopenedCount: 0,
    priority: priorityOf({ severity, ...fields }),
    cves: [],
    cwes: ['CWE-89'],
    asset: { id: assetId, type: 'repository', name: 'github.com/acme/shop', zone: null },
    location: 'src/orders.ts:12',
    tool: 'semgrep',
    ruleId: 'sql-injection',
    firstSeenAt: at,
    ...dueFields(DEFAULT_SLA, { severity, asset: { id: assetId } }, at),
    tags: [],
    scope: '',
    locationDetail: { path: 'src/orders.ts', line: 12 },
    evidence: [],
    references: [],
    fingerprint,
    fingerprintVersion: 1,
    contentHash: fingerprint,
    taskId: newId(),
    ...fields,
  };
}
