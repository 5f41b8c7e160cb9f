import { type Entry, readEntries } from '../../readers/entries.ts';
import { type JsonObject, textAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { PassedChecks } from '../../readers/passed-checks.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { checkOfCheckov } from './benchmark.ts';
import { draftOf } from './check.ts';

/**
 * Checkov's JSON: an object, or a list of objects when it checked several kinds of files. With nothing to check, it
 * writes only the summary. A skipped check is neither a finding nor passed.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'checkov' };
  const beside = { unparsed: 0, passed: new PassedChecks() };
  yield* readEntries(failedChecks(open, beside), draftOf, 'the check has no check_id or no file_path');
  if (beside.unparsed > 0) yield { kind: 'incomplete', reason: `Checkov cannot parse ${beside.unparsed} files` };
  yield* beside.passed.events();
}

const REPORTS = [[], ['[]']];
const LISTS = ['failed_checks', 'passed_checks', 'parsing_errors'];
const IGNORED = ['skipped_checks', 'unknown_checks'];

const at = (lists: readonly string[]) =>
  REPORTS.flatMap((report) => lists.map((list) => [...report, 'results', list, '[]']));

type Beside = { unparsed: number; passed: PassedChecks };

async function* failedChecks(open: OpenReport, beside: Beside): AsyncGenerator<NestedEntry & Entry> {
  for await (const entry of nestedEntries(open, { entries: at(LISTS), ignored: at(IGNORED), isReport: isSummary })) {
    if (entry.path.includes('parsing_errors')) beside.unparsed += 1;
    else if (entry.path.includes('passed_checks'))
      beside.passed.add(checkOfCheckov(textAt(entry.value, 'check_id')), null);
    else yield entry;
  }
}

const isSummary = (object: JsonObject): boolean => typeof object.checkov_version === 'string';
