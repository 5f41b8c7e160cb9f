import { firstCharacter, readEntries } from '../../readers/entries.ts';
import { indexAt, type JsonObject, textAt } from '../../readers/json.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import { rootMembers } from '../../readers/root-members.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { draftOf } from './issue.ts';
import { reportRows } from './rows.ts';

/**
 * The answers of SonarQube's API for issues or hotspots, and sonar-report's output from both: JSON with the rules
 * beside them, or HTML.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'SonarQube' };
  if ((await firstCharacter(open)) === '<') {
    yield* readEntries(reportRows(open), (row) => draftOf(row, ''), UNUSABLE);
    return;
  }
  const root = await rootMembers(open, 'paging');
  let count = 0;
  const draftsOf = (issue: JsonObject) => {
    count += 1;
    return draftOf(issue, textAt(root, 'sonarComponent') ?? '');
  };
  yield* readEntries(nestedEntries(open, { entries: LISTS, ignored: IGNORED }), draftsOf, UNUSABLE);
  const total = indexAt(root, 'paging', 'total') ?? 0;
  if (total > count) yield { kind: 'incomplete', code: 'more_pages', count, of: total, thing: 'issue' };
}

const UNUSABLE = 'the issue names no rule or no component';
const LISTS = [
  ['issues', '[]'],
  ['hotspots', '[]'],
];
const IGNORED = [
  ['components', '[]'],
  ['rules', '*'],
  ['facets', '[]'],
  ['users', '[]'],
];
