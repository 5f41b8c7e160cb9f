import { readEntries } from '../../readers/entries.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { fieldAt, indexAt, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { packageProblem } from '../../readers/package-problem.ts';
import { rootMembers } from '../../readers/root-members.ts';
import { isGivenUp } from '../../readers/semgrep.ts';
import { findCwes } from '../../readers/text.ts';
import type { OpenReport, ReportAsset, ReportEvent } from '../../report/report.ts';
import { draftOfResult } from './result.ts';

/**
 * Semgrep's JSON of a scan, for code and for packages (Supply Chain), and its API's list of the latter. The scanned
 * paths and the times may be larger than everything else.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  const root = await rootMembers(open);
  yield { kind: 'tool', name: toolOf(root), version: textAt(root, 'version') };
  if (root.hasMore === true) yield { kind: 'incomplete', code: 'more_pages' };
  const failures: string[] = [];
  const entries = nestedEntries(open, { entries: LISTS, ignored: IGNORED });
  yield* readEntries(entries, draftsIn(failures), 'the entry has no check_id, no path or no package');
  for (const first of failures) yield { kind: 'incomplete', code: 'tool_error', first };
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
  if (isFailure(value) && failures.length < MAX_FAILURES)
    failures.push(textAt(value, 'message') ?? textAt(value, 'long_msg') ?? 'Semgrep reports an error');
  return [];
};

/** A partly parsed file is a warning: its other findings count. */
const isFailure = (error: JsonObject): boolean =>
  textAt(error, 'level') === 'error' || isGivenUp(textAt(error, 'type') ?? textAt(error, 'type', 0));

/** A vulnerability in the form of Semgrep's API for all repositories; `[]` for one that was closed there. */
function draftOfVulnerability(entry: JsonObject): FindingDraft | [] | undefined {
  const advisory = fieldAt(entry, 'advisory');
  const ruleId = textAt(advisory, 'ruleId');
  const name = textAt(entry, 'matchedDependency', 'name');
  if (!ruleId || !name) return undefined;
  if (CLOSED.has(textAt(entry, 'triage', 'status')?.toUpperCase() ?? '')) return [];
  const cves = textsAt(advisory, 'references', 'cveIds');
  const fixedVersions = textsAt(entry, 'closestSafeDependency', 'versionSpecifier');
  const component = { name, version: textAt(entry, 'matchedDependency', 'versionSpecifier'), fixedVersions };
  const place = textAt(entry, 'dependencyFileLocation', 'path') ?? '';
  const problem = packageProblem({ id: cves[0] ?? ruleId, aliases: [...cves, ruleId], component, place });
  const word = textAt(advisory, 'severity');
  return {
    ...problem,
    ruleId,
    severity: severityOfWord(word) ?? 'info',
    toolSeverity: word,
    description: [textAt(advisory, 'description'), reachableIf(advisory)].filter((text) => text).join('\n\n'),
    cwes: findCwes(...textsAt(advisory, 'references', 'cweIds')),
    asset: assetOf(entry),
    location: { ...problem.location, line: indexAt(entry, 'dependencyFileLocation', 'startLine') },
    references: textsAt(advisory, 'references', 'urls'),
    tags: [...textsAt(entry, 'exposureType'), ...textsAt(entry, 'transitivity'), ...textsAt(advisory, 'ecosystem')],
    identity: [...problem.identity, textAt(entry, 'repositoryName') ?? ''],
    anyLine: true,
  };
}

const CLOSED = new Set(['CLOSED', 'FIXED', 'IGNORED', 'DISMISSED', 'REMOVED']);

function reachableIf(advisory: unknown): string | undefined {
  const condition = textAt(advisory, 'reachableIf');
  return condition && `Reachable if ${condition}`;
}

function assetOf(entry: JsonObject): ReportAsset | null {
  const name = textAt(entry, 'repositoryName');
  return name ? { type: 'repository', value: name } : null;
}
