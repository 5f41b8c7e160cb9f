import { allOrNone, type Entry, lineEntries, readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { readHead } from '../../readers/head.ts';
import { fieldAt, type JsonObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { npmProblem, npmProblems } from '../../readers/npm-advisory.ts';
import { waysIn } from '../../readers/package-problem.ts';
import { hasShape } from '../../readers/shape.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';
import { isByPackage } from './shapes.ts';

/**
 * Yarn 1 writes a line for each path to a package with an advisory, Yarn 2 and 3 the document of npm 6, Yarn 4.0 and
 * Bun the advisories by package (`{}` without any), later versions a line for each advisory.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'yarn audit' };
  const head = await readHead(open());
  const log: Log = { isYarn1: false, ended: false };
  if (/^\{\s*\}\s*$/.test(head)) return;
  if (hasShape(head, 'type', 'children')) yield* readEntries(logged(open, log), draftsOfLine, UNUSABLE);
  else if (isByPackage(head))
    yield* readEntries(nestedEntries(open, { entries: [['*', '[]']] }), draftOfYarn40, UNUSABLE);
  else yield* readEntries(nestedEntries(open, { entries: [['advisories', '*']] }), npmProblems, UNUSABLE);
  if (log.error) yield { kind: 'incomplete', code: 'tool_error', first: log.error };
  else if (log.isYarn1 && !log.ended) yield { kind: 'incomplete', code: 'not_finished', first: 'no auditSummary' };
}

const UNUSABLE = 'the entry names no package, or no advisory of it';

type Log = { isYarn1: boolean; ended: boolean; error?: string };

async function* logged(open: OpenReport, log: Log): AsyncGenerator<Entry> {
  for await (const entry of lineEntries(open)) {
    const type = textAt(entry.value, 'type');
    log.isYarn1 ||= type !== undefined;
    log.ended ||= type === 'auditSummary';
    if (type === 'error') log.error = textAt(entry.value, 'data') ?? 'yarn reports an error';
    yield entry;
  }
}

function draftsOfLine(line: JsonObject): FindingDraft | readonly FindingDraft[] | undefined {
  if (line.children !== undefined) return draftOfYarn4(line);
  const type = textAt(line, 'type');
  if (type !== 'auditAdvisory') return type ? [] : undefined;
  const way = textAt(line, 'data', 'resolution', 'path') ?? '';
  const advisory = fieldAt(line, 'data', 'advisory');
  const found = listAt(advisory, 'findings');
  const here = found.filter((one) => textsAt(one, 'paths').includes(way));
  return npmProblems(here.length > 0 ? { ...(advisory as JsonObject), findings: here.slice(0, 1) } : advisory);
}

const draftOfYarn40 = (advisory: JsonObject, { path }: NestedEntry): FindingDraft | undefined =>
  npmProblem(advisory, { name: String(path[0]) });

/** Yarn 4 reports packages that are marked as deprecated, too. */
function draftOfYarn4(line: JsonObject): FindingDraft | readonly FindingDraft[] | undefined {
  const name = textAt(line, 'value');
  const said = (label: string) => fieldAt(line, 'children', label);
  const versions = textsAt(line, 'children', 'Tree Versions');
  if (!name || said('ID') === undefined) return undefined;
  const advisory = { id: said('ID'), title: said('Issue'), url: said('URL'), severity: said('Severity') };
  return allOrNone(versions.length > 0 ? versions : [undefined], (version) => {
    const draft = npmProblem(advisory, { name, version });
    return draft && { ...draft, evidence: waysIn(textsAt(line, 'children', 'Dependents')) };
  });
}
