import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { type SuppressNew, suppressNew } from '#shared/findings/suppression/new-findings.ts';
import { readRules } from '#shared/findings/suppression/stored.ts';
import type { Session } from './session.ts';

/**
 * Reads the rules once per slice: a rule that is made meanwhile is applied by its own task, which comes after the slice.
 * @param assets on which the new findings lie
 */
export async function suppressorOf(session: Session, assets: Iterable<StoredFinding['asset']>): Promise<SuppressNew> {
  session.rules ??= await readRules(session.table);
  return suppressNew(session.table, session.rules, assets);
}
