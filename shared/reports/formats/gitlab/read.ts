import { readEntries } from '../../readers/entries.ts';
import { fieldAt, listAt, textAt } from '../../readers/json.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import { rootMembers } from '../../readers/root-members.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { draftOf } from './vulnerability.ts';

/**
 * The reports of GitLab's analyzers, of the schemas 14 and 15 and before. The tool is the analyzer's scanner; the type
 * of the scan defines the scanned part of the tree.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  const scan = fieldAt(await rootMembers(open, 'scan'), 'scan');
  const type = textAt(scan, 'type');
  yield {
    kind: 'tool',
    name: textAt(scan, 'scanner', 'name') ?? 'GitLab',
    version: textAt(scan, 'scanner', 'version'),
    category: type,
  };
  if (textAt(scan, 'status') === 'failure') yield { kind: 'incomplete', code: 'tool_error', first: failureOf(scan) };
  const entries = nestedEntries(open, { entries: [['vulnerabilities', '[]']], ignored: IGNORED });
  yield* readEntries(
    entries,
    (value) => draftOf(value, type),
    'the vulnerability names no identifier and nothing else',
  );
}

/** A DAST report of ZAP also holds ZAP's own report. */
const IGNORED = [
  ['dependency_files', '[]', 'dependencies', '[]'],
  ['remediations', '[]'],
  ['site', '*'],
  ['spider', '*', '*'],
  ['scan', 'scanned_resources', '[]'],
];

const failureOf = (scan: unknown): string | undefined => textAt(listAt(scan, 'messages')[0], 'value');
