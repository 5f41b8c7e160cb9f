import { newestCvss } from '../../readers/cvss.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import type { Reading } from '../../readers/format.ts';
import { fieldAt, indexAt, type JsonObject, listAt, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { advisorySeverity, packageProblem, waysIn } from '../../readers/package-problem.ts';
import { purlOf } from '../../readers/purl.ts';
import { manifestOf, settingIdentity } from '../../readers/snyk.ts';
import { findCwes, pathInTree } from '../../readers/text.ts';
import { withoutVersions } from '../../readers/versioned-path.ts';
import type { ReportAsset } from '../../report/report.ts';

/** The project of an issue, and the image around a project that is an application inside it. */
type Projects = { outer?: JsonObject; inner?: JsonObject };

export function vulnerabilityDraft(issue: JsonObject, { outer, inner }: Projects): FindingDraft | undefined {
  const id = textAt(issue, 'id');
  const name = textAt(issue, 'packageName') ?? textAt(issue, 'name');
  if (!id || !name) return undefined;
  const version = textAt(issue, 'version');
  const purlType = PURL_TYPES.get((textAt(issue, 'packageManager') ?? '').split(':')[0] ?? '');
  const fixed = textsAt(issue, 'fixedIn');
  const place = pathOf(inner);
  const problem = packageProblem({
    id,
    aliases: ['CVE', 'GHSA', 'SUSE', 'RHSA', 'DSA'].flatMap((kind) => textsAt(issue, 'identifiers', kind)),
    summary: textAt(issue, 'title'),
    component: {
      name,
      version,
      purl: purlType && purlOf(purlType, { name, version }),
      fixedVersions: fixed.length > 0 ? fixed : textsAt(issue, 'nearestFixedInVersion'),
    },
    place,
  });
  return {
    ...problem,
    place: manifestOf(place),
    identity: [id, name, withoutVersions(manifestOf(place))],
    ...ratingOf(issue),
    description: textAt(issue, 'description'),
    cwes: findCwes(...textsAt(issue, 'identifiers', 'CWE')),
    asset: imageOf(outer),
    evidence: waysIn([textsAt(issue, 'from').join(' > ')].filter((way) => way)),
    references: listAt(issue, 'references').flatMap((reference) => textsAt(reference, 'url')),
    remediation: upgradeOf(issue) ?? problem.remediation,
    tags: [...problem.tags, ...tagsOf(issue)],
  };
}

function ratingOf(issue: JsonObject): Partial<FindingDraft> {
  const sources = listAt(issue, 'cvssSources').map((source) => ({
    cvssVector: textAt(source, 'vector'),
    cvssScore: numberAt(source, 'baseScore'),
  }));
  const cvss = newestCvss([
    { cvssVector: textAt(issue, 'CVSSv3'), cvssScore: numberAt(issue, 'cvssScore') },
    ...sources,
  ]);
  return { ...cvss, ...advisorySeverity(textAt(issue, 'severityWithCritical') ?? textAt(issue, 'severity')) };
}

function tagsOf(issue: JsonObject): string[] {
  const maturity = textAt(issue, 'exploit') ?? textAt(issue, 'exploitMaturity');
  const exploit = maturity && !UNKNOWN_EXPLOIT.has(maturity) ? [`exploit: ${maturity}`] : [];
  return textAt(issue, 'type') === 'license' ? ['license', ...exploit] : exploit;
}

const UNKNOWN_EXPLOIT = new Set(['Not Defined', 'No Known Exploit', 'Unproven']);

/** A setting in a file that describes infrastructure. */
export function configurationDraft(
  issue: JsonObject,
  project: unknown,
  { decides }: Reading,
): FindingDraft | [] | undefined {
  const id = textAt(issue, 'publicId') ?? textAt(issue, 'id');
  if (!id) return undefined;
  if (decides !== false && fieldAt(issue, 'isIgnored') === true) return [];
  const said = (part: string) => textAt(issue, 'iacDescription', part) ?? textAt(issue, part);
  const path = pathOf(project);
  return {
    title: textAt(issue, 'title') ?? id,
    ...advisorySeverity(textAt(issue, 'severity')),
    ruleId: id,
    description: [said('issue'), said('impact')].filter((text) => text).join('\n\n'),
    asset: null,
    location: { path, line: indexAt(issue, 'lineNumber') },
    evidence: [{ kind: 'text', content: textAt(issue, 'msg') ?? '' }],
    references: [...textsAt(issue, 'documentation'), ...textsAt(issue, 'references')],
    remediation: said('resolve'),
    tags: textsAt(issue, 'subType'),
    place: textAt(issue, 'msg') ?? textsAt(issue, 'path').join('.'),
    identity: settingIdentity(id, path),
  };
}

const pathOf = (project: unknown): string =>
  pathInTree(textAt(project, 'displayTargetFile') ?? textAt(project, 'targetFile') ?? '');

/** The direct dependency to update comes first; `false` represents the project itself. */
function upgradeOf(issue: JsonObject): string | undefined {
  const [target = ''] = textsAt(issue, 'upgradePath');
  const at = target.lastIndexOf('@');
  return at > 0 ? `Update ${target.slice(0, at)} to ${target.slice(at + 1)}.` : undefined;
}

/** The name of a project begins so if it is an image. */
export const IMAGE = 'docker-image|';

/** `path` is the image with its tag, and behind that the project; the project's name has the image without the tag. */
export function imageOf(project: unknown): ReportAsset | null {
  const name = textAt(project, 'projectName') ?? '';
  if (!name.startsWith(IMAGE)) return null;
  const image = name.slice(IMAGE.length);
  const path = textAt(project, 'path') ?? '';
  const tag = path.startsWith(`${image}:`) ? (path.slice(image.length).split('/')[0] ?? '') : '';
  return { type: 'container_image', value: image + tag };
}

/** By the ecosystem of the issue: `npm`, `maven`, `debian:11`. */
const PURL_TYPES = new Map([
  ['npm', 'npm'],
  ['maven', 'maven'],
  ['pip', 'pypi'],
  ['rubygems', 'gem'],
  ['nuget', 'nuget'],
  ['golang', 'golang'],
  ['composer', 'composer'],
  ['cocoapods', 'cocoapods'],
  ['hex', 'hex'],
  ['cargo', 'cargo'],
  ['debian', 'deb/debian'],
  ['ubuntu', 'deb/ubuntu'],
  ['alpine', 'apk/alpine'],
  ['rhel', 'rpm/redhat'],
  ['centos', 'rpm/centos'],
  ['sles', 'rpm/suse'],
]);
