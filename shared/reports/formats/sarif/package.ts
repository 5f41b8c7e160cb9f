import type { FindingDraft } from '../../readers/finding.ts';
import { withoutScheme } from '../../readers/grype.ts';
import { packageProblem } from '../../readers/package-problem.ts';
import { pathInTree } from '../../readers/text.ts';
import type { Retold, Said } from './said.ts';

type Named = { id: string; name: string; version: string; fixed?: string; place: string };

/** The fields of a vulnerable package, recognised as the scanner's own JSON is: by advisory, package and place. */
export function packageFields(draft: FindingDraft, { id, name, version, fixed = '', place }: Named): Retold {
  const component = { name, version, fixedVersions: fixed.split(',').map((one) => one.trim()) };
  const problem = packageProblem({ id, component, place });
  const { line, ...location } = draft.location;
  return {
    component: problem.component,
    remediation: problem.remediation ?? draft.remediation,
    // a scanner writes the first line when it does not know the line, and it would not distinguish versions
    location: line === 1 ? location : draft.location,
    place: problem.place,
    identity: problem.identity,
  };
}

const GRYPE =
  /^An? [a-z]{1,20} vulnerability in \S{1,60} package: (\S{1,300}), version (\S{1,300}) was found (?:in image (\S{1,500}) )?at: (.{1,2000})$/;
/** The words of its versions before 0.66. */
const EARLIER_GRYPE = /^The path (.{1,2000}?) reports (\S{1,300}) at version (\S{1,300}) /;

export function grypePackage({ message, draft }: Said): Retold {
  const [, name, version, image, path] = GRYPE.exec(message) ?? earlierGrype(message);
  if (!name || !version || !path || !draft.ruleId.endsWith(`-${name}`)) return undefined;
  const id = draft.ruleId.slice(0, -name.length - 1);
  if (!image) return packageFields(draft, { id, name, version, place: pathInTree(path) });
  const asset = { type: 'container_image' as const, value: withoutScheme(image) };
  return { ...packageFields(draft, { id, name, version, place: path }), asset };
}

function earlierGrype(message: string): (string | undefined)[] {
  const [, path, name, version] = EARLIER_GRYPE.exec(message) ?? [];
  return [undefined, name, version, undefined, path];
}

const OSV =
  /^Package '([^'\n]{1,300})@([^'@\n]{0,300})' is vulnerable to '([^'\n]{1,100})'(?: \(also known as ([^)\n]{1,4000})\))?/;

export function osvPackage({ message, draft }: Said): Retold {
  const [, name, version = '', id, others = ''] = OSV.exec(message) ?? [];
  if (!name || !id) return undefined;
  const ids = [id, ...others.split(',').map((one) => one.replace(/['\s]/g, ''))].filter((one) => one !== '');
  return packageFields(draft, { id: leadOf(ids), name, version, place: pathInTree(draft.location.path ?? '') });
}

/** The record that leads in the scanner's JSON: GitHub's, else another database's; a CVE is rarely a record of its own there. */
function leadOf(ids: readonly string[]): string {
  const sorted = [...ids].sort();
  return sorted.find((id) => id.startsWith('GHSA-')) ?? sorted.find((id) => !id.startsWith('CVE-')) ?? sorted[0] ?? '';
}
