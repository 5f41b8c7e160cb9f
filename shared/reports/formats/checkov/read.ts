import { type Entry, readEntries } from '../../entries.ts';
import type { JsonObject } from '../../json.ts';
import { type NestedEntry, nestedEntries } from '../../nested-entries.ts';
import type { OpenReport, ReportEvent } from '../../report.ts';
import { draftOf } from './check.ts';

/**
 * Checkov's JSON: an object, or a list of them when it checked several kinds of files. When there was nothing to check it
 * writes the summary alone.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'checkov' };
  const unparsed = { count: 0 };
  yield* readEntries(failedChecks(open, unparsed), draftOf, 'the check has no check_id or no file_path');
  if (unparsed.count > 0) yield { kind: 'incomplete', reason: `Checkov cannot parse ${unparsed.count} files` };
}

const REPORTS = [[], ['[]']];
const LISTS = ['failed_checks', 'parsing_errors'];
const IGNORED = ['passed_checks', 'skipped_checks', 'unknown_checks'];

const at = (lists: readonly string[]) =>
  REPORTS.flatMap((report) => lists.map((list) => [...report, 'results', list, '[]']));

async function* failedChecks(open: OpenReport, unparsed: { count: number }): AsyncGenerator<NestedEntry & Entry> {
  for await (const entry of nestedEntries(open, { entries: at(LISTS), ignored: at(IGNORED), isReport: isSummary })) {
    if (entry.path.includes('parsing_errors')) unparsed.count += 1;
    else yield entry;
  }
}

const isSummary = (object: JsonObject): boolean => typeof object.checkov_version === 'string';
