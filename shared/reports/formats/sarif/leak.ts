import { indexAt, textAt } from '../../readers/json.ts';
import { secretProblem } from '../../readers/secret.ts';
import { pathInTree } from '../../readers/text.ts';
import type { Retold, Said } from './said.ts';

/**
 * Gitleaks puts each secret into the snippet of its result. This gives the same finding as its JSON, without the clear
 * text, once for all commits.
 */
export function gitleaksLeak({ result, draft }: Said): Retold {
  const { path = '', line, commit, snippet } = draft.location;
  return {
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
    place: String(indexAt(result, 'locations', 0, 'physicalLocation', 'region', 'startColumn') ?? ''),
  };
}
