import { allOrNone, firstCharacter, jsonEntries, readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { packageProblem } from '../../readers/package-problem.ts';
import { purlOf } from '../../readers/purl.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';

/**
 * pip-audit's dependencies with their advisories; up to version 2.3 the report is only the list. A skipped dependency,
 * such as the project itself, is on no index. pip-audit rates nothing.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'pip-audit' };
  const entries = (await firstCharacter(open)) === '[' ? jsonEntries(open) : jsonEntries(open, 'dependencies');
  yield* readEntries(entries, draftsOf, 'the dependency has no name, no list vulns, or an advisory without id');
}

function draftsOf(dependency: JsonObject): FindingDraft[] | undefined {
  const [name, version] = [textAt(dependency, 'name'), textAt(dependency, 'version')];
  if (name && textAt(dependency, 'skip_reason')) return [];
  if (!name || !Array.isArray(dependency.vulns)) return undefined;
  return allOrNone(dependency.vulns, (advisory) => draftOf(advisory, { name, version }));
}

function draftOf(advisory: unknown, { name, version }: { name: string; version?: string }): FindingDraft | undefined {
  const id = textAt(advisory, 'id');
  if (!id) return undefined;
  return {
    ...packageProblem({
      id,
      aliases: textsAt(advisory, 'aliases'),
      component: {
        name,
        version,
        purl: purlOf('pypi', { name: name.toLowerCase(), version }),
        fixedVersions: textsAt(advisory, 'fix_versions'),
      },
      place: '',
    }),
    description: textAt(advisory, 'description'),
    asset: null,
    references: [`https://osv.dev/vulnerability/${encodeURIComponent(id.toWellFormed())}`],
  };
}
