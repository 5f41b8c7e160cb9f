import { type Entry, streamEntries } from '../../readers/entries.ts';
import { findingEvent } from '../../readers/finding.ts';
import { readHead } from '../../readers/head.ts';
import { fieldAt, isObject, textAt } from '../../readers/json.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import { hasShape } from '../../readers/shape.ts';
import { type OpenReport, ReportError, type ReportEvent } from '../../report/report.ts';
import { messagesOf } from './old.ts';
import { addMessage, draftOf, newScan } from './scan.ts';

/**
 * govulncheck's messages. It reports one problem several times (for the module, its packages and each called function),
 * so all are collected before the first finding is returned. Up to version 0.1 the report is one document.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  const scan = newScan();
  const rejected: string[] = [];
  for await (const { value, where } of messages(open)) if (!value || !addMessage(scan, value)) rejected.push(where);
  if (!scan.isKnown)
    throw new ReportError('unsupported_format', 'The report has no config and no Vulns of govulncheck.');
  yield { kind: 'tool', name: 'govulncheck', ...(scan.version && { version: scan.version }) };
  for (const where of rejected)
    yield { kind: 'rejected', reason: 'the finding names no vulnerability or no module', where };
  for (const problem of scan.problems.values()) yield await findingEvent(draftOf(scan, problem), problem.id);
}

async function* messages(open: OpenReport): AsyncGenerator<Entry> {
  if (!hasShape(await readHead(open()), 'Calls', 'Imports', 'Requires', 'Vulns', 'Modules'))
    return yield* streamEntries(open);
  const isReport = (root: object) => 'Vulns' in root;
  for await (const { value, where, parents } of nestedEntries(open, { entries: [['Vulns', '[]']], isReport })) {
    if (!isObject(fieldAt(value, 'OSV')) || !textAt(value, 'OSV', 'id')) yield { where };
    else for (const message of messagesOf(value, parents[0])) yield { value: message, where };
  }
  yield { value: { config: {} }, where: 'the report' };
}
