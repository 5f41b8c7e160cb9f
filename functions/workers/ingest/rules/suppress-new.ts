import type { Session } from '#functions/workers/ingest/session.ts';
import type { StoredFinding } from '#shared/entities/finding.ts';
import { type SuppressNew, suppressNew } from '#shared/findings/rules/new-findings.ts';
import { readRules } from '#shared/findings/rules/stored.ts';

/**
 * Reads the rules once per slice: a rule that is made meanwhile is applied by its own task, which comes after the slice.
 * @param assets on which the new findings lie
 */
export async function suppressorOf(session: Session, assets: Iterable<StoredFinding['asset']>): Promise<SuppressNew> {
  session.rules ??= await readRules(session.table);
  return suppressNew(session.table, session.rules, assets);
}
