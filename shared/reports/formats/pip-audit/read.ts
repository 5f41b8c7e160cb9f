import { allOrNone, firstCharacter, jsonEntries, readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { packageProblem } from '../../readers/package-problem.ts';
import { purlOf } from '../../readers/purl.ts';
import type { OpenReport, ReportEvent } from '../../report/report.ts';

/**
 * pip-audit's dependencies with their advisories; up to version 2.3 the report is only the list. A skipped dependency,
 * such as the project itself, is on no index, so that its earlier findings may hold. pip-audit rates nothing.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'pip-audit' };
  const entries = (await firstCharacter(open)) === '[' ? jsonEntries(open) : jsonEntries(open, 'dependencies');
  const skipped = new Map<string, string>();
  let count = 0;
  const drafts = (dependency: JsonObject) => {
    const [name, reason] = [textAt(dependency, 'name'), textAt(dependency, 'skip_reason')];
    count += 1;
    if (!name || !reason) return draftsOf(dependency);
    skipped.set(name, reason);
    return [];
  };
  yield* readEntries(entries, drafts, 'the dependency has no name, no list vulns, or an advisory without id');
  if (skipped.size === 0) return;
  const gap = { code: 'not_judged', count: skipped.size, of: count, thing: 'package', partly: true } as const;
  const [first] = skipped.values();
  yield { kind: 'incomplete', ...gap, first, rules: [...skipped.keys()] };
}

function draftsOf(dependency: JsonObject): FindingDraft[] | undefined {
  const [name, version] = [textAt(dependency, 'name'), textAt(dependency, 'version')];
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
