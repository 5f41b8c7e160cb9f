import type { FindingDraft } from '../../finding.ts';
import { packageProblem } from '../../package-problem.ts';
import { pathInTree } from '../../text.ts';
import type { Run } from './run.ts';

type Named = { id: string; name: string; version: string; fixed?: string | undefined; place: string };

/** The part of a result in which a scanner of packages says what SARIF has no field for. */
type Said = { message: string; draft: FindingDraft; run: Run; ruleName: string | undefined };

const SCANNERS = new Map<string, (said: Said) => Named | undefined>([
  ['trivy', ofTrivy],
  ['grype', ofGrype],
  ['osv-scanner', ofOsvScanner],
]);

/**
 * The draft of a vulnerable package, recognised as the scanner's own JSON is: by advisory, package and place. SARIF has no field
 * for the package; these scanners name it in the text of their messages, always in the same words.
 */
export function withPackage(said: Said): FindingDraft {
  const { draft, run } = said;
  const named = SCANNERS.get(run.tool.name.toLowerCase())?.(said);
  if (!named) return draft;
  const { id, name, version, fixed = '', place } = named;
  const component = { name, version, fixedVersions: fixed.split(',').map((one) => one.trim()) };
  const problem = packageProblem({ id, component, place });
  const { line, ...location } = draft.location;
  return {
    ...draft,
    component: problem.component,
    remediation: problem.remediation ?? draft.remediation,
    // the first line stands for all that a scanner does not know, and would tell no version from another
    location: line === 1 ? location : draft.location,
    identity: problem.identity,
    formerIdentity: draft.identity,
  };
}

const TRIVY =
  /^Package: ([^\n]{1,300})\nInstalled Version: ([^\n]{0,300})\nVulnerability ([^\n]{1,300})\nSeverity: [^\n]{0,40}\nFixed Version: ([^\n]{0,300})(?:\n|$)/;

function ofTrivy({ message, draft, run, ruleName }: Said): Named | undefined {
  const [, name, version = '', id, fixed] = TRIVY.exec(message) ?? [];
  if (!name || !id) return undefined;
  const path = draft.location.path ?? '';
  const isOfSystem = run.image ? isRepositoryOf(run.image, path) : ruleName === 'OsPackageVulnerability';
  return { id, name, version, fixed, place: isOfSystem ? '' : path };
}

/** For a package of the operating system Trivy gives the repository of the image in place of a file. */
function isRepositoryOf(image: string, path: string): boolean {
  const repository = image.replace(/@sha256:.{0,64}$/, '').replace(/:[^:/]{1,128}$/, '');
  return [repository, `library/${repository}`].includes(path) || repository.endsWith(`/${path}`);
}

const GRYPE =
  /^An? [a-z]{1,20} vulnerability in \S{1,60} package: (\S{1,300}), version (\S{1,300}) was found (?:in image \S{1,500} )?at: (.{1,2000})$/;
/** The words of its versions before 0.66. */
const EARLIER_GRYPE = /^The path (.{1,2000}?) reports (\S{1,300}) at version (\S{1,300}) /;

function ofGrype({ message, draft }: Said): Named | undefined {
  const [, name, version, path] = GRYPE.exec(message) ?? earlierGrype(message);
  if (!name || !version || !path || !draft.ruleId.endsWith(`-${name}`)) return undefined;
  return { id: draft.ruleId.slice(0, -name.length - 1), name, version, place: pathInTree(path) };
}

function earlierGrype(message: string): (string | undefined)[] {
  const [, path, name, version] = EARLIER_GRYPE.exec(message) ?? [];
  return [undefined, name, version, path];
}

const OSV =
  /^Package '([^'\n]{1,300})@([^'@\n]{0,300})' is vulnerable to '([^'\n]{1,100})'(?: \(also known as ([^)\n]{1,4000})\))?/;

function ofOsvScanner({ message, draft }: Said): Named | undefined {
  const [, name, version = '', id, others = ''] = OSV.exec(message) ?? [];
  if (!name || !id) return undefined;
  const ids = [id, ...others.split(',').map((one) => one.replace(/['\s]/g, ''))].filter((one) => one !== '');
  return { id: leadOf(ids), name, version, place: pathInTree(draft.location.path ?? '') };
}

/** The record that leads in the scanner's JSON: GitHub's, else another database's; a CVE is rarely a record of its own there. */
function leadOf(ids: readonly string[]): string {
  const sorted = [...ids].sort();
  return sorted.find((id) => id.startsWith('GHSA-')) ?? sorted.find((id) => !id.startsWith('CVE-')) ?? sorted[0] ?? '';
}
