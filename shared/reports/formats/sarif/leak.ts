import type { FindingDraft } from '../../finding.ts';
import { textAt } from '../../json.ts';
import { secretProblem } from '../../secret.ts';
import { pathInTree } from '../../text.ts';
import type { Run } from './run.ts';

/**
 * Gitleaks puts each secret into the snippet of its result. The finding is the one that its JSON gives, without the clear text,
 * once for all commits.
 */
export function withoutSecret(run: Run, result: unknown, draft: FindingDraft): FindingDraft {
  if (run.tool.name.toLowerCase() !== 'gitleaks') return draft;
  const { path = '', line, commit, snippet } = draft.location;
  return {
    ...draft,
    ...secretProblem({
      ruleId: draft.ruleId,
      secret: snippet,
      place: pathInTree(path),
      location: { line, commit: commit ?? textAt(result, 'partialFingerprints', 'commitSha') },
    }),
    // The title is the rule's description.
    description: draft.title,
    severity: 'high',
    toolSeverity: undefined,
    otherLocations: [],
  };
}
