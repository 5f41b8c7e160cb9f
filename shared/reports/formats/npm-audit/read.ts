import { allOrNone, readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, isObject, type JsonObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { npmProblem, npmProblems } from '../../readers/npm-advisory.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';

/** npm's report: by advisory up to npm 6, by package since npm 7. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'npm audit' };
  const entries = nestedEntries(open, {
    entries: [
      ['advisories', '*'],
      ['vulnerabilities', '*'],
    ],
    ignored: [['actions', '[]']],
  });
  yield* readEntries(entries, draftsOf, 'the entry names no package, or no advisory of it');
}

function draftsOf(entry: JsonObject, { path }: NestedEntry): FindingDraft[] | undefined {
  if (path[0] === 'advisories') return npmProblems(entry);
  const name = textAt(entry, 'name');
  const via = fieldAt(entry, 'via');
  if (!name || !Array.isArray(via)) return undefined;
  // A text names a package that this package depends on; the advisory is there.
  return allOrNone(via.filter(isObject), (advisory) => draftOf(entry, advisory));
}

function draftOf(entry: JsonObject, advisory: JsonObject): FindingDraft | undefined {
  const name = textAt(advisory, 'name') ?? textAt(entry, 'name');
  const draft = name ? npmProblem(advisory, { name }) : undefined;
  if (!draft) return undefined;
  const [first, ...others] = textsAt(entry, 'nodes');
  const dependents = listAt(entry, 'effects').filter((effect) => typeof effect === 'string');
  return {
    ...draft,
    location: { path: first },
    otherLocations: others.map((path) => ({ path })),
    evidence: [
      { kind: 'text', content: dependents.length > 0 ? `Needed by: ${dependents.join(', ')}` : '' },
      { kind: 'text', content: `Vulnerable versions: ${textAt(advisory, 'range') ?? 'not reported'}` },
    ],
    remediation: fixOf(fieldAt(entry, 'fixAvailable')),
    tags: [...(draft.tags ?? []), ...(fieldAt(entry, 'isDirect') === true ? ['direct dependency'] : [])],
  };
}

function fixOf(fix: unknown): string | undefined {
  if (fix === true) return 'Run npm audit fix.';
  const [name, version] = [textAt(fix, 'name'), textAt(fix, 'version')];
  if (!name || !version) return undefined;
  return `Update ${name} to ${version}${fieldAt(fix, 'isSemVerMajor') === true ? ', a major version with breaking changes' : ''}.`;
}
