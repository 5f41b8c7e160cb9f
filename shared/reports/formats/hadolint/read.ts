import { codeIdentity } from '../../readers/code-identity.ts';
import { jsonEntries, readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { indexAt, type JsonObject, textAt } from '../../readers/json.ts';
import { placeBy } from '../../readers/repetitions.ts';
import { firstSentence, pathInTree } from '../../readers/text.ts';
import type { OpenReport, ReportEvent, Severity } from '../../report/report.ts';

/** The rule of a Dockerfile that Hadolint cannot parse and does not check. */
const UNPARSED = 'DL1000';

/** Hadolint's JSON: a list of its findings in all Dockerfiles. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'Hadolint' };
  const unparsed: string[] = [];
  const drafts = (entry: JsonObject) => {
    if (entry.code === UNPARSED) unparsed.push(textAt(entry, 'file') ?? 'a file without a name');
    return draftOf(entry);
  };
  yield* readEntries(jsonEntries(open), drafts, 'the entry has no code or no file');
  if (unparsed.length > 0)
    yield { kind: 'incomplete', code: 'not_read', count: unparsed.length, thing: 'file', first: unparsed[0] };
}

function draftOf(entry: JsonObject): FindingDraft | undefined {
  const ruleId = textAt(entry, 'code');
  const file = textAt(entry, 'file');
  if (!ruleId || !file) return undefined;
  const message = textAt(entry, 'message') ?? ruleId;
  const level = textAt(entry, 'level');
  const place = pathInTree(file);
  return {
    title: firstSentence(message),
    description: message,
    severity: LEVELS.get(level ?? '') ?? 'info',
    toolSeverity: level,
    ruleId,
    asset: null,
    location: { path: place, line: indexAt(entry, 'line') },
    references: [ruleId.startsWith('SC') ? `${SHELLCHECK}${ruleId}` : `${WIKI}${ruleId}`],
    place: placeBy(indexAt(entry, 'column'), message),
    identity: codeIdentity({ ruleId, place, message }),
  };
}

const WIKI = 'https://github.com/hadolint/hadolint/wiki/';
const SHELLCHECK = 'https://www.shellcheck.net/wiki/';

const LEVELS = new Map<string, Severity>([
  ['error', 'high'],
  ['warning', 'medium'],
  ['info', 'low'],
  ['style', 'info'],
]);
