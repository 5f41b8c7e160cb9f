import { readEntries } from '../../readers/entries.ts';
import { type JsonObject, textAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { rootMembers } from '../../readers/root-members.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { draftOfVulnerability } from './advisory.ts';
import { draftOfResult } from './result.ts';

/**
 * Semgrep's JSON of a scan, for code and for packages (Supply Chain), and its API's list of the latter. The scanned
 * paths and the times may be larger than everything else.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  const root = await rootMembers(open);
  yield { kind: 'tool', name: toolOf(root), version: textAt(root, 'version') };
  if (root.hasMore === true)
    yield { kind: 'incomplete', reason: 'the list goes on (hasMore): send all of its pages as one report' };
  const failures: string[] = [];
  const entries = nestedEntries(open, { entries: LISTS, ignored: IGNORED });
  yield* readEntries(entries, draftsIn(failures), 'the entry has no check_id, no path or no package');
  for (const reason of failures) yield { kind: 'incomplete', reason };
}

const LISTS = [
  ['results', '*'],
  ['vulns', '*'],
  ['errors', '*'],
];
const IGNORED = [
  ['paths', '*', '*'],
  ['time', '*', '*'],
  ['explanations', '*'],
];

/** The names that its SARIF gives the two engines; before there were two it was `semgrep`. */
function toolOf(root: JsonObject): string {
  const engine = textAt(root, 'engine_requested');
  return engine ? `Semgrep ${engine}` : 'semgrep';
}

const MAX_FAILURES = 20;

const draftsIn = (failures: string[]) => (value: JsonObject, entry: NestedEntry) => {
  if (entry.path[0] === 'vulns') return draftOfVulnerability(value);
  if (entry.path[0] === 'results') return draftOfResult(value);
  // A partly parsed file is a warning: its other findings count.
  if (textAt(value, 'level') === 'error' && failures.length < MAX_FAILURES)
    failures.push(textAt(value, 'message') ?? textAt(value, 'long_msg') ?? 'Semgrep reports an error');
  return [];
};
