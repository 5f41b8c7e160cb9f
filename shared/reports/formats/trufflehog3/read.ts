import { type Drafts, jsonEntries, readEntries } from '../../readers/entries.ts';
import { severityOfWord } from '../../readers/finding.ts';
import { indexAt, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { secretProblem } from '../../readers/secret.ts';
import { draftsOfStrings } from '../../readers/secret-strings.ts';
import { pathInTree } from '../../readers/text.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';

/** The list of trufflehog3, also of versions before 3. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'trufflehog3' };
  yield* readEntries(jsonEntries(open), draftsOf, 'the entry names no rule or no path');
}

function draftsOf(entry: JsonObject): Drafts | undefined {
  const ruleId = textAt(entry, 'rule', 'id') ?? textAt(entry, 'rule', 'message');
  const path = textAt(entry, 'path');
  if (!ruleId || !path) return draftsOfStrings(entry);
  const word = textAt(entry, 'rule', 'severity');
  const location = { line: indexAt(entry, 'line'), commit: textAt(entry, 'commit') };
  return {
    ...secretProblem({ ruleId, secret: textAt(entry, 'secret'), place: pathInTree(path), location }),
    description: textAt(entry, 'rule', 'message'),
    severity: severityOfWord(word) ?? 'medium',
    toolSeverity: word,
    asset: null,
    tags: textsAt(entry, 'branch'),
  };
}
