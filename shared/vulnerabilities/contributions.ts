import { hash } from 'node:crypto';
import type { Aliases } from '../advisories/aliases.ts';
import type { StoredFinding } from '../entities/finding.ts';
import type { VulnerabilityFacts } from '../entities/vulnerability.ts';
import { packagePurl, purlOfName, withoutArchitecture } from '../reports/purl.ts';
import type { ReportComponent } from '../reports/report.ts';
import { given } from '../runtime/given.ts';
import { decoded } from '../runtime/texts.ts';

/** Ids of advisories beside CVEs: GitHub, databases of ecosystems, distributions, Snyk. */
const ADVISORY =
  /^(?:GHSA(?:-[0-9a-z]{4}){3}|(?:PYSEC|RUSTSEC|GO|OSV|MAL|HSEC|PSF|GSD)-\d{4}-\d{1,8}|(?:DSA|DLA|USN)-\d{1,6}(?:-\d{1,3})?|(?:RHSA|RHBA|ELSA|ALSA|RLSA|ALAS2?|SUSE-SU)-\d{4}[:-]\d{1,6}(?::?-?\d{1,3})?|SNYK-[A-Z]{2,12}-[A-Z0-9]{1,60}-\d{1,10})$/i;

const isAdvisory = (text: string): boolean => text.length <= 100 && ADVISORY.test(text);

/** The id of GHSA is in lower case behind its prefix, all others are in capitals. */
export const spelledAdvisory = (id: string): string =>
  /^ghsa-/i.test(id) ? `GHSA${id.slice(4).toLowerCase()}` : id.toUpperCase();

/** Most other names of an advisory that are kept. */
const MAX_ALIASES = 20;

/** The vulnerabilities that a finding names: each of its CVEs, or else the advisory that is its rule. */
function advisoriesOf({ cves, identifiers, ruleId, tags }: StoredFinding) {
  const ids = [...new Set(identifiers?.cves ?? cves)];
  const others = [...new Set([ruleId, ...tags, ...(identifiers?.tags ?? [])].filter(isAdvisory).map(spelledAdvisory))];
  if (ids.length > 1) return ids.map((id) => ({ id, aliases: [] }));
  const [id = isAdvisory(ruleId) ? spelledAdvisory(ruleId) : undefined] = ids;
  if (id === undefined) return [];
  return [{ id, aliases: others.filter((one) => one !== id).slice(0, MAX_ALIASES) }];
}

type Advisory = { id: string; aliases: string[] };

/** An advisory of another database is the CVE that stands for it, so that tools which name the one or the other meet. */
function underCve({ id, aliases }: Advisory, cveOf: Aliases): Advisory {
  const cve = cveOf(id);
  return cve
    ? { id: cve, aliases: [id, ...aliases.filter((one) => one !== cve)].slice(0, MAX_ALIASES) }
    : { id, aliases };
}

/** One text for a component as a report names it, whatever version of it is installed; undefined where the report names none. */
export const componentKey = (component: Named | undefined): string | undefined =>
  component && (purlOfComponent(component) ?? withoutArchitecture(component.name).toLowerCase());

/** The package URL without version and qualifiers, also where only a name tells it. */
export const purlOfComponent = ({ purl, name }: Named): string | undefined =>
  purl ? packagePurl(purl) : purlOfName(name);

type Named = Pick<ReportComponent, 'name' | 'purl'>;

/** Go writes the major version behind the path of a module. */
const MAJOR = /\/v\d+$/;

/**
 * The name of a package without its ecosystem and its owner: of `pkg:maven/org.example/core@1.2`, `org.example:core` and `core` it is
 * `core`. Tools name a package in all three ways, and about one advisory on one asset they mean the same one.
 */
export function packageKey(component: Named | undefined): string | undefined {
  const path = componentKey(component);
  const parts = path && decoded(path).replace(MAJOR, '').split(/[/:]/);
  return parts && (parts.findLast(Boolean) ?? path).replace(/[-_.]+/g, '-');
}

type Identity = { advisoryId: string; component: ReportComponent | undefined; assetId: string };

const vulnerabilityKey = ({ advisoryId, component, assetId }: Identity): string =>
  hash('sha256', JSON.stringify([advisoryId, packageKey(component) ?? null, assetId]), 'base64url').slice(0, 27);

/** Whether they are about the same component, on whichever asset and under whichever name of the advisory. */
export const isSameProblem = (a: VulnerabilityFacts, b: VulnerabilityFacts): boolean =>
  packageKey(a.component) === packageKey(b.component) &&
  (a.advisoryId === b.advisoryId || a.aliases.includes(b.advisoryId) || b.aliases.includes(a.advisoryId));

/** The facts that a finding adds to each of its vulnerabilities. */
export function vulnerabilitiesOf(
  finding: StoredFinding,
  cveOf: Aliases = () => undefined,
): { key: string; facts: VulnerabilityFacts }[] {
  const advisories = advisoriesOf(finding).map((one) => underCve(one, cveOf));
  const { component, asset, severity, tool, ruleId, tags, cvssVector, cvssScore } = finding;
  const { firstSeenAt, reopenedAt, acknowledgedAt, fixedAt, dueAt, stakes, late, applicationIds } = finding;
  // the decision on its vulnerabilities is theirs and not the finding's
  const status = finding.follows?.was.status ?? finding.status;
  const isAlone = advisories.length === 1;
  return advisories.map(({ id: advisoryId, aliases }) => ({
    key: vulnerabilityKey({ advisoryId, component, assetId: asset.id }),
    facts: {
      ...{ advisoryId, aliases, asset, severity, status, tool, tags, firstSeenAt },
      ...given({ component, reopenedAt, acknowledgedAt, fixedAt, dueAt, stakes, late, applicationIds }),
      // the index has the first CVEs of a finding only
      ...(!finding.cves.includes(advisoryId) && { ruleId }),
      // of several, the rating is that of the worst, and nobody says which that is
      ...(isAlone && cvssVector && cvssScore !== undefined && { cvss: { vector: cvssVector, score: cvssScore } }),
    },
  }));
}
