import { allOrNone } from './entries.ts';
import type { FindingDraft } from './finding.ts';
import { fieldAt, numberAt, textAt, textsAt } from './json.ts';
import { advisorySeverity, packageProblem, waysIn } from './package-problem.ts';
import { purlOf } from './purl.ts';
import { findCwes, findGhsas } from './text.ts';

type NpmPackage = { name: string; version?: string };

/**
 * An advisory of the npm registry, which npm, yarn and pnpm hand on in its spelling of the time: with `overview` and `cves`, or
 * in the short form of npm 7. The registry gives an advisory another number with each revision, so GitHub's id leads.
 */
export function npmProblem(advisory: unknown, { name, version }: NpmPackage): FindingDraft | undefined {
  const title = textAt(advisory, 'title');
  const number = numberAt(advisory, 'source') ?? numberAt(advisory, 'id') ?? textAt(advisory, 'id');
  const [ghsa] = findGhsas(textAt(advisory, 'github_advisory_id'), textAt(advisory, 'url'));
  const cves = textsAt(advisory, 'cves');
  const id = ghsa ?? cves[0] ?? (number === undefined ? undefined : `npm-${number}`);
  if (!id) return undefined;
  const score = numberAt(advisory, 'cvss', 'score');
  const problem = packageProblem({
    id,
    aliases: cves,
    summary: title,
    component: {
      name,
      version,
      purl: purlOf('npm', { name, version }),
      fixedVersions: fixesIn(textAt(advisory, 'patched_versions')),
    },
    place: '',
  });
  return {
    ...problem,
    ...advisorySeverity(textAt(advisory, 'severity')),
    cvssVector: textAt(advisory, 'cvss', 'vectorString'),
    ...(score && { cvssScore: score }),
    description: textAt(advisory, 'overview'),
    cwes: findCwes(...textsAt(advisory, 'cwe')),
    asset: null,
    references: [...textsAt(advisory, 'url'), ...linksIn(textAt(advisory, 'references'))],
    remediation: textAt(advisory, 'recommendation') ?? problem.remediation,
  };
}

/** The findings of an advisory of npm 6: one for each installed version, with the ways by which it comes in. */
export function npmProblems(advisory: unknown): FindingDraft[] | undefined {
  const name = textAt(advisory, 'module_name');
  const found = fieldAt(advisory, 'findings');
  if (!name || !Array.isArray(found)) return undefined;
  const byVersion = Map.groupBy(found, (one) => textAt(one, 'version') ?? '');
  return allOrNone([...byVersion], ([version, same]) => {
    const draft = npmProblem(advisory, { name, version });
    return draft && { ...draft, evidence: waysIn(same.flatMap((one) => textsAt(one, 'paths'))) };
  });
}

/**
 * The first version of each branch in a range of fixed versions: `>=1.2.3 <2.0.0 || >=2.0.1`. `<0.0.0` means that there
 * is none.
 */
const fixesIn = (range = ''): string[] =>
  range.split('||').flatMap((branch) => /^\s*>=?\s*(\d[\w.+-]*)/.exec(branch)?.[1] ?? []);

const linksIn = (markdown = ''): string[] => markdown.slice(0, 20_000).match(/https?:\/\/[^\s)\]<>"]+/g) ?? [];
