import { readEntries } from '../../readers/entries.ts';
import { xmlEntries } from '../../readers/xml-entries.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { draftOf } from './issue.ts';

/** The XML of Burp Suite's issues. It lists findings, not the scanned places. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'Burp Suite' };
  yield* readEntries(xmlEntries(open, ['issues/issue']), draftOf, 'the issue has no type, no name or no host');
}
