import type { FindingDraft } from './finding.ts';
import { type JsonObject, textAt, textsAt } from './json.ts';
import { secretProblem } from './secret.ts';

/**
 * The findings of a commit in which TruffleHog 2 or an early trufflehog3 found strings. Both repeat a string for each
 * commit whose difference shows it, also for the commit that removes it.
 */
export function draftsOfStrings(commit: JsonObject): Iterable<FindingDraft> | undefined {
  const reason = textAt(commit, 'reason');
  const path = textAt(commit, 'path');
  const strings = new Set(textsAt(commit, 'stringsFound').map(withoutSign));
  if (!reason || !path || strings.size === 0) return undefined;
  return strings.values().map((secret) => ({
    ...secretProblem({ ruleId: reason, secret, place: path, location: { commit: textAt(commit, 'commitHash') } }),
    severity: 'medium' as const,
    asset: null,
    tags: textsAt(commit, 'branch'),
  }));
}

/** A line of a difference begins with its sign. */
const withoutSign = (text: string): string => text.replace(/^[+-](?!-)/, '').trim();
