import { csvEntries } from '../../readers/csv-entries.ts';
import { arrayOrLineEntries, readEntries } from '../../readers/entries.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { readHead } from '../../readers/head.ts';
import { indexAt, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import { placeBy } from '../../readers/repetitions.ts';
import { secretProblem } from '../../readers/secret.ts';
import { hasShape } from '../../readers/shape.ts';
import { pathInTree } from '../../readers/text.ts';
import type { OpenReport, ReportAsset, ReportEvent } from '../../report/report.ts';
import { CSV_COLUMNS } from './columns.ts';

/**
 * Gitleaks' JSON: of version 8 (`RuleID`, `Secret`), and of earlier versions (`rule`, `offender`), which also wrote
 * lines. The columns of its CSV have the names of version 8.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'gitleaks' };
  if (await isNull(open)) return;
  const head = await readHead(open());
  const isJson = /^[[{]/.test(head);
  const listed = hasShape(head, ...WRAPPED)
    ? nestedEntries(open, { entries: [['*', '[]']] })
    : arrayOrLineEntries(open);
  const entries = isJson ? listed : csvEntries(open, { columns: CSV_COLUMNS });
  yield* readEntries(entries, draftOf, 'the entry names no rule or no file');
}

/** Wrappers of the tool put its list into an object, under a name of their own. */
const WRAPPED = ['*.[].RuleID', '*.[].offender'];

/** Some versions write `null` in place of an empty list. */
async function isNull(open: OpenReport): Promise<boolean> {
  let text = '';
  for await (const chunk of open()) {
    text += Buffer.from(chunk).toString('latin1').trim();
    if (text.length > 4) return false;
  }
  return text === 'null';
}

function draftOf(leak: JsonObject): FindingDraft | undefined {
  const ruleId = textAt(leak, 'RuleID') ?? textAt(leak, 'rule');
  const file = textAt(leak, 'File') ?? textAt(leak, 'file');
  if (!ruleId || !file) return undefined;
  const word = textAt(leak, 'severity');
  return {
    ...secretProblem({
      ruleId,
      secret: textAt(leak, 'Secret') ?? textAt(leak, 'offender'),
      place: pathInTree(file),
      location: {
        line: indexAt(leak, 'StartLine') ?? indexAt(leak, 'lineNumber'),
        commit: textAt(leak, 'Commit') ?? textAt(leak, 'commit'),
      },
    }),
    description: textAt(leak, 'Description'),
    // Gitleaks rates nothing: any of its rules may have found the key of a production system.
    severity: severityOfWord(word) ?? 'high',
    toolSeverity: word,
    asset: assetOf(leak),
    place: placeBy(indexAt(leak, 'StartColumn')),
    evidence: [{ kind: 'text', content: authorOf(leak) }],
    references: [...textsAt(leak, 'Link'), ...textsAt(leak, 'leakURL')],
    tags: [...textsAt(leak, 'Tags'), ...textsAt(leak, 'tags')].flatMap((tags) => tags.split(',')),
  };
}

function assetOf(leak: JsonObject): ReportAsset | null {
  const url = textAt(leak, 'repoURL');
  return url ? { type: 'repository', value: url } : null;
}

function authorOf(leak: JsonObject): string {
  const author = textAt(leak, 'Author') ?? textAt(leak, 'author');
  const date = textAt(leak, 'Date') ?? textAt(leak, 'date');
  return author ? `Committed by ${author}${date ? ` on ${date}` : ''}` : '';
}
