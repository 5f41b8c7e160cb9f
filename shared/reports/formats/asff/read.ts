import { documentEntries, readEntries } from '../../entries.ts';
import type { OpenReport, ReportEvent } from '../../report.ts';
import { draftOf } from './finding.ts';

/** Findings of AWS Security Hub in its own format (ASFF), of whatever product sent them there. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'AWS Security Hub' };
  const entries = documentEntries(open, {
    lists: [['Findings'], ['findings'], ['detail', 'findings']],
    isEntry: (entry) => 'AwsAccountId' in entry,
  });
  yield* readEntries(entries, draftOf, 'the finding has no Id, no Title or no AwsAccountId');
}
