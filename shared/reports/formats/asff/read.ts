import { documentEntries, readEntries } from '../../readers/entries.ts';
import { type JsonObject, textAt } from '../../readers/json.ts';
import { PassedChecks } from '../../readers/passed-checks.ts';
import { passedChecks } from '../../readers/security-hub.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { controlOf } from './control.ts';
import { draftsOf, isUnjudged } from './finding.ts';

/**
 * Findings of AWS Security Hub in its own format (ASFF), from any product. Passed controls report the passed checks.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'AWS Security Hub' };
  const entries = documentEntries(open, {
    lists: [['Findings'], ['findings'], ['detail', 'findings']],
    isEntry: (entry) => 'AwsAccountId' in entry,
  });
  const passed = new PassedChecks();
  let [unjudged, controls] = [0, 0];
  const noted = (entry: JsonObject) => {
    unjudged += Number(isUnjudged(entry));
    controls += Number(textAt(entry, 'Compliance', 'Status') !== undefined);
    const account = textAt(entry, 'AwsAccountId');
    for (const check of account ? passedChecks(controlOf(entry)) : [])
      passed.add(check, { type: 'cloud_account', value: account ?? '' });
    return draftsOf(entry);
  };
  yield* readEntries(entries, noted, 'the finding has no Id, no Title or no AwsAccountId');
  if (unjudged > 0) yield { kind: 'incomplete', code: 'not_judged', count: unjudged, of: controls, thing: 'control' };
  yield* passed.events();
}
