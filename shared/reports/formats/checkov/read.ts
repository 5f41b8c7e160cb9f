import { inCategories, toolIn } from '../../readers/categories.ts';
import { type Entry, readEntries } from '../../readers/entries.ts';
import { type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { PassedChecks } from '../../readers/passed-checks.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { checkOfCheckov } from './benchmark.ts';
import { draftOf } from './check.ts';

const CHECKOV = 'checkov';

/**
 * Checkov's JSON: an object, or a list of objects when it checked several kinds of files. With nothing to check, it
 * writes only the summary. A skipped check is neither a finding nor passed.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: CHECKOV };
  const beside: Beside = { unparsed: 0, passed: new PassedChecks(), types: new Set() };
  let type: string | undefined;
  const draft = (check: JsonObject, entry: NestedEntry) => {
    type = typeOf(entry.parents[0]);
    return draftOf(check, entry);
  };
  const findings = readEntries(failedChecks(open, beside), draft, 'the check has no check_id or no file_path');
  yield* inCategories(CHECKOV, findings, () => type);
  for (const one of beside.types) yield toolIn(CHECKOV, one);
  if (beside.unparsed > 0) yield { kind: 'incomplete', code: 'not_read', count: beside.unparsed, thing: 'file' };
  yield* beside.passed.events();
}

const REPORTS = [[], ['[]']];
const LISTS = ['failed_checks', 'passed_checks', 'parsing_errors'];
const IGNORED = ['skipped_checks', 'unknown_checks'];

const at = (lists: readonly string[]) =>
  REPORTS.flatMap((report) => lists.map((list) => [...report, 'results', list, '[]']));

/** The kind of files that a report is about, such as `terraform`: Checkov writes one report for each. */
const typeOf = (report: JsonObject | undefined): string | undefined => textAt(report, 'check_type');

type Beside = { unparsed: number; passed: PassedChecks; types: Set<string> };

async function* failedChecks(open: OpenReport, beside: Beside): AsyncGenerator<NestedEntry & Entry> {
  const onAround = (objects: Iterable<JsonObject>) => {
    for (const object of objects) for (const type of textsAt(object, 'check_type')) beside.types.add(type);
  };
  const entries = nestedEntries(open, { entries: at(LISTS), ignored: at(IGNORED), isReport: isSummary, onAround });
  for await (const entry of entries) {
    if (entry.path.includes('parsing_errors')) beside.unparsed += 1;
    else if (entry.path.includes('passed_checks'))
      beside.passed.add(checkOfCheckov(textAt(entry.value, 'check_id')), null);
    else yield entry;
  }
}

const isSummary = (object: JsonObject): boolean => typeof object.checkov_version === 'string';
