import type { Session } from '#functions/workers/ingest/session.ts';
import type { StoredFinding } from '#shared/entities/finding.ts';
import { decideByRules, type RuleSubject } from '#shared/findings/rules/decide.ts';
import { readAssetTags, readRules } from '#shared/findings/rules/stored.ts';
import { now } from '#shared/runtime/clock.ts';

/** The change that the rules make to a finding which is about to be created. */
export type SuppressNew = (draft: RuleSubject) => Partial<StoredFinding> | undefined;

/**
 * Reads the rules once per slice: a rule that is made meanwhile is applied by its own task, which comes after the slice.
 * @param assets on which the new findings lie
 */
export async function suppressorOf(session: Session, assets: Iterable<StoredFinding['asset']>): Promise<SuppressNew> {
  session.rules ??= await readRules(session.table);
  const { rules, table } = session;
  if (rules.length === 0) return () => undefined;
  const found = [...assets].map((asset) => ({ asset }));
  const tags = await readAssetTags(table, rules, found);
  return (draft) => decideByRules(rules, draft, { at: now(), assetTags: tags.get(draft.asset.id) ?? [] });
}
