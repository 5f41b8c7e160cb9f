import { now } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assetsBehind } from '../branches/tried-rules.ts';
import type { StoredFinding } from '../finding/finding.ts';
import { historyWrite } from '../triage/history.ts';
import { decideByRules, type ReadyRule, type RuleSubject } from './decide.ts';

/** The change that the rules make to a finding which is about to be created. */
export type SuppressNew = (draft: RuleSubject) => Partial<StoredFinding> | undefined;

/** @param assets on which the new findings lie */
export async function suppressNew(
  table: Table,
  rules: readonly ReadyRule[],
  assets: Iterable<StoredFinding['asset']>,
): Promise<SuppressNew> {
  if (rules.length === 0) return () => undefined;
  const found = [...assets].map((asset) => ({ asset }));
  const behind = await assetsBehind(table, rules, found);
  return (draft) => decideByRules(rules, draft, { at: now(), behind: behind.get(draft.asset.id) });
}

type Suppressed = { findingId: string; from: StoredFinding['status']; changes: Partial<StoredFinding> };

/** The history entry of a finding that begins suppressed. */
export function suppressionWrite(
  table: Table,
  { findingId, from, changes }: Suppressed,
  { at, scanTaskId }: { at: string; scanTaskId?: string },
): Write {
  const { status, suppressedBy, statusReason: reason } = changes;
  const changed = {
    status: { from, to: status },
    ...(suppressedBy && { suppressedBy: { from: null, to: suppressedBy } }),
  };
  return historyWrite(table, { findingId, version: 1, at, by: table.actor, changes: changed, reason, scanTaskId });
}
