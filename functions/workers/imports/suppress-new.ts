import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { type SuppressNew, suppressNew } from '#shared/findings/suppression/new-findings.ts';
import type { Accepted } from './phases.ts';

/** @param assets on which the new findings are */
export async function suppressorOf(
  { table, learned }: Accepted,
  assets: Iterable<StoredFinding['asset']>,
): Promise<SuppressNew> {
  return suppressNew(table, await learned.rules(), assets);
}
