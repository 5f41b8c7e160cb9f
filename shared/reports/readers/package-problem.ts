import type { ReportComponent, Severity } from '../report/report.ts';
import { type FindingDraft, severityOfWord } from './finding.ts';
import { findCves } from './text.ts';
import { withoutVersions } from './versioned-path.ts';

/** A known vulnerability of a package, from a scanner of dependencies or images. */
type PackageProblem = {
  /** The advisory: a CVE if the scanner leads with it, else GHSA, OSV or the vendor's id. */
  id: string;
  aliases?: readonly string[];
  summary?: string;
  component: ReportComponent;
  /** The lock file, binary or layer that brings the package in; '' when the report names none. */
  place: string;
};

/**
 * The fields that follow from advisory and package. The version is not part of the identity: an update to another
 * vulnerable version does not change the problem or people's decisions about it.
 */
export function packageProblem({ id, aliases = [], summary, component, place }: PackageProblem) {
  const { name, version } = component;
  const fixedVersions = component.fixedVersions.filter((fix) => fix.trim() !== '');
  const what = version ? `${name} ${version}` : name;
  return {
    title: summary ? `${id} in ${what}: ${summary}` : `${id} in ${what}`,
    ruleId: id,
    cves: findCves(id, ...aliases),
    component: { ...component, fixedVersions },
    location: place ? { path: place } : {},
    ...(fixedVersions.length > 0 && { remediation: `Update ${name} to ${fixedVersions.join(' or ')}.` }),
    tags: [...new Set(aliases)].filter((alias) => alias !== id),
    place,
    identity: [id, name, withoutVersions(place)],
  } satisfies Partial<FindingDraft>;
}

/** `1:7.81.0-1ubuntu1.15`: the version as the package managers of distributions compare it, an epoch of 0 left out. */
export function wholeVersion(
  version: string | undefined,
  { epoch, release }: { epoch?: number | undefined; release?: string | undefined },
): string | undefined {
  if (!version) return undefined;
  const before = epoch && !/^\d+:/.test(version) ? `${epoch}:` : '';
  const isWhole = !release || version.endsWith(`-${release}`);
  return `${before}${version}${isWhole ? '' : `-${release}`}`;
}

/** The chains of packages by which it comes in, the outermost first. */
export const waysIn = (ways: readonly string[]): FindingDraft['evidence'] =>
  ways.length > 0 ? [{ kind: 'text', content: `Comes in by:\n${ways.slice(0, 50).join('\n')}` }] : [];

/** Words of distributions and registries for the ratings of their advisories, beside those that are ours too. */
const WORDS = new Map<string, Severity>([
  ['important', 'high'],
  ['moderate', 'medium'],
  ['minimal', 'low'],
  ['negligible', 'info'],
  ['unimportant', 'info'],
  ['informational', 'info'],
  ['none', 'info'],
]);

/** An advisory's rating; `severity` is undefined for a word such as `unknown`, so that a CVSS score decides. */
export function advisorySeverity(word: string | undefined): Pick<FindingDraft, 'severity' | 'toolSeverity'> {
  const severity = severityOfWord(word) ?? WORDS.get(word?.trim().toLowerCase() ?? '');
  return { ...(severity && { severity }), ...(word && { toolSeverity: word }) };
}
