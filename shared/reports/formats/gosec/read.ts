import { excerptOf } from '../../readers/code-excerpt.ts';
import { codeIdentity } from '../../readers/code-identity.ts';
import { readEntries } from '../../readers/entries.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import type { Reading } from '../../readers/format.ts';
import { indexAt, isObject, type JsonObject, listAt, plainAt, textAt, textsAt } from '../../readers/json.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import { placeBy } from '../../readers/repetitions.ts';
import { rootMembers } from '../../readers/root-members.ts';
import { findCwes, pathInTree } from '../../readers/text.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';

const ERRORS = 'Golang errors';

/** gosec's JSON. Its issues are null when a scan found none, and it names the files that it could not compile. */
export async function* read(open: OpenReport, how: Reading): AsyncGenerator<ReportEvent> {
  const root = await rootMembers(open, ERRORS);
  yield { kind: 'tool', name: 'gosec', version: textAt(root, 'GosecVersion') };
  const entries = nestedEntries(open, { entries: [['Issues', '[]']], isReport: hasNoIssues });
  yield* readEntries(entries, (issue) => draftOf(issue, how), 'the entry has no rule_id or no file');
  const unread = isObject(root[ERRORS]) ? Object.keys(root[ERRORS]) : [];
  if (unread.length > 0)
    yield { kind: 'incomplete', code: 'not_read', count: unread.length, thing: 'file', first: unread[0] };
}

const hasNoIssues = (root: JsonObject): boolean => root.Issues === null && isObject(root.Stats);

function draftOf(issue: JsonObject, { decides }: Reading): FindingDraft | [] | undefined {
  const ruleId = textAt(issue, 'rule_id');
  const file = textAt(issue, 'file');
  if (!ruleId || !file) return undefined;
  const isSettled = issue.nosec === true || listAt(issue, 'suppressions').length > 0;
  if (isSettled && decides !== false) return [];
  const message = textAt(issue, 'details') ?? ruleId;
  const word = textAt(issue, 'severity');
  const place = pathInTree(file);
  const { line, snippet } = linesOf(issue);
  return {
    title: message,
    severity: severityOfWord(word) ?? 'medium',
    toolSeverity: word,
    ruleId,
    cwes: findCwes(`CWE-${textAt(issue, 'cwe', 'id') ?? textAt(issue, 'cwe', 'ID') ?? ''}`),
    asset: null,
    location: { path: place, line, snippet },
    references: [...textsAt(issue, 'cwe', 'url'), ...textsAt(issue, 'cwe', 'URL')],
    remediation: textAt(issue, 'autofix'),
    tags: textsAt(issue, 'confidence').map((confidence) => `${confidence} CONFIDENCE`),
    place: placeBy(textAt(issue, 'column') ?? indexAt(issue, 'column'), message),
    identity: codeIdentity({ ruleId, place, snippet, message }),
  };
}

/** Only the flagged lines, as in gosec's SARIF, from an excerpt with a line before and after. */
function linesOf(issue: JsonObject): { line?: number; snippet?: string } {
  const code = textAt(issue, 'code');
  const [from = '', to = from] = (plainAt(issue, 'line') ?? '').split('-');
  const line = Number(from) || undefined;
  const excerpt = excerptOf(code, ': ');
  if (!excerpt || line === undefined) return { line, snippet: code };
  const start = Math.max(line - excerpt.first, 0);
  const flagged = excerpt.texts.slice(start, start + Math.max(Number(to) - line, 0) + 1);
  return { line, snippet: flagged.map((text) => text.trim()).join('\n') };
}
