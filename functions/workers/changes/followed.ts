import type { ManyResult } from '#shared/findings/bulk/decision.ts';
import { undoneOf } from './undone.ts';

/** The results of two parts: the changed records, and the findings that follow them. */
type Results = readonly ManyResult[] | undefined;

export function decidedResult(results: Results) {
  const [decided, followed] = results ?? [];
  if (!decided || !followed) return undefined;
  const { matched, changed, unchanged, refused, refusedCount } = followed;
  return { ...decided, findings: { matched, changed, unchanged, refused, refusedCount } };
}

/** The same where a former decision was restored. */
export function restoredResult(results: Results) {
  const [decided, followed] = results ?? [];
  return decided && followed && { ...undoneOf(decided), findings: { changed: followed.changed } };
}
