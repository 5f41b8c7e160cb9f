import { excerptOf } from '../../readers/code-excerpt.ts';
import { codeIdentity } from '../../readers/code-identity.ts';
import { readEntries } from '../../readers/entries.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { indexAt, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { placeBy } from '../../readers/repetitions.ts';
import { findCwes, firstSentence, pathInTree } from '../../readers/text.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';

/** Bandit's JSON. Its list of errors names the files that it could not read. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'Bandit' };
  const unread: { count: number; first?: string } = { count: 0 };
  const draftsOf = (value: JsonObject, { path }: NestedEntry) => {
    if (path[0] === 'results') return draftOf(value);
    unread.count += 1;
    unread.first ??= textAt(value, 'filename');
    return [];
  };
  const lists = [
    ['results', '[]'],
    ['errors', '[]'],
  ];
  const entries = nestedEntries(open, { entries: lists, ignored: [['metrics', '*']] });
  yield* readEntries(entries, draftsOf, 'the entry has no test_id or no filename');
  if (unread.count > 0) yield { kind: 'incomplete', code: 'not_read', thing: 'file', ...unread };
}

function draftOf(result: JsonObject): FindingDraft | undefined {
  const ruleId = textAt(result, 'test_id');
  const file = textAt(result, 'filename');
  if (!ruleId || !file) return undefined;
  const message = textAt(result, 'issue_text') ?? ruleId;
  const word = textAt(result, 'issue_severity');
  const place = pathInTree(file);
  const line = indexAt(result, 'line_range', 0) ?? indexAt(result, 'line_number');
  const excerpt = excerptOf(textAt(result, 'code'), ' ');
  // Bandit's SARIF counts from the end of the excerpt where the line is before it; so does `at`.
  const snippet = excerpt && line !== undefined ? excerpt.texts.at(line - excerpt.first) : undefined;
  return {
    title: firstSentence(message),
    description: message,
    severity: severityOfWord(word) ?? 'medium',
    toolSeverity: word,
    ruleId,
    cwes: findCwes(`CWE-${indexAt(result, 'issue_cwe', 'id') ?? ''}`),
    asset: null,
    location: { path: place, line, snippet: excerpt?.texts.join('\n') },
    references: [...textsAt(result, 'more_info'), ...textsAt(result, 'issue_cwe', 'link')],
    tags: [...textsAt(result, 'test_name'), ...textsAt(result, 'issue_confidence').map((word) => `${word} CONFIDENCE`)],
    place: placeBy(indexAt(result, 'col_offset'), message),
    identity: codeIdentity({ ruleId, place, snippet, message }),
  };
}
