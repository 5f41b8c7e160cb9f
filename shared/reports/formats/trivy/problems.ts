import { severityOfScore } from '../../readers/cvss.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { fieldAt, indexAt, isObject, type JsonObject, listAt, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { packageProblem } from '../../readers/package-problem.ts';
import { placeBy } from '../../readers/repetitions.ts';
import { cleanPath, findCwes, pathInTree } from '../../readers/text.ts';
import { checkIdentity, trivyLicense, trivySecret } from '../../readers/trivy.ts';
import type { ReportAsset } from '../../report/report.ts';

/** The place of a result. `resource` is the object of a cluster, such as `default/Deployment/shop`. */
export type TrivyPlace = { asset: ReportAsset | null; target: string; kind: string; resource?: string };

export function vulnerabilityDraft(entry: JsonObject, at: TrivyPlace): FindingDraft | undefined {
  const [id, name] = [textAt(entry, 'VulnerabilityID'), textAt(entry, 'PkgName')];
  if (!id || !name) return undefined;
  const cvss = cvssOf(entry);
  const path = textAt(entry, 'PkgPath') ?? (at.kind === 'os-pkgs' ? '' : at.target);
  const problem = packageProblem({
    id,
    aliases: textsAt(entry, 'VendorIDs'),
    summary: textAt(entry, 'Title'),
    component: {
      name,
      version: textAt(entry, 'InstalledVersion'),
      purl: textAt(entry, 'PkgIdentifier', 'PURL'),
      fixedVersions: (textAt(entry, 'FixedVersion') ?? '').split(',').map((version) => version.trim()),
    },
    place: inResource(at, path),
  });
  return {
    ...problem,
    ...withoutFix(entry),
    ...(!path && { location: { path: inResource(at, at.target) } }),
    ...severityOf(entry, cvss.cvssScore),
    ...cvss,
    description: textAt(entry, 'Description'),
    cwes: findCwes(...textsAt(entry, 'CweIDs')),
    asset: at.asset,
    references: [...textsAt(entry, 'PrimaryURL'), ...textsAt(entry, 'References')],
  };
}

export function misconfigurationDraft(entry: JsonObject, at: TrivyPlace): FindingDraft | [] | undefined {
  const id = textAt(entry, 'ID') ?? textAt(entry, 'AVDID');
  if (!id) return undefined;
  const status = textAt(entry, 'Status') ?? 'FAIL';
  if (status !== 'FAIL') return WITHOUT_PROBLEM.has(status) ? [] : undefined;
  const cause = fieldAt(entry, 'CauseMetadata');
  const message = textAt(entry, 'Message');
  const place = inResource(at, fileOf(at));
  const check = { id, place, message };
  return {
    title: textAt(entry, 'Title') ?? message ?? id,
    description: [textAt(entry, 'Description'), message].filter((text) => text).join('\n\n'),
    ...severityOf(entry),
    ruleId: id,
    asset: at.asset,
    location: { path: place, line: indexAt(cause, 'StartLine'), snippet: codeOf(fieldAt(cause, 'Code')) },
    references: [...textsAt(entry, 'PrimaryURL'), ...textsAt(entry, 'References')],
    remediation: textAt(entry, 'Resolution'),
    tags: [at.kind, ...textsAt(cause, 'Provider'), ...textsAt(cause, 'Service')],
    place: textAt(cause, 'Resource'),
    identity: checkIdentity(check),
  };
}

/** The states of a check beside a failure; any other word is unknown. */
const WITHOUT_PROBLEM = new Set(['PASS', 'EXCEPTION']);

export function secretDraft(entry: JsonObject, at: TrivyPlace): FindingDraft | undefined {
  const id = textAt(entry, 'RuleID');
  if (!id) return undefined;
  const [match, place] = [textAt(entry, 'Match'), inResource(at, fileOf(at))];
  return {
    ...trivySecret({ id, title: textAt(entry, 'Title'), place, match }),
    ...severityOf(entry),
    ruleId: id,
    asset: at.asset,
    location: { path: place, line: indexAt(entry, 'StartLine'), snippet: match },
    tags: ['secret', ...textsAt(entry, 'Category')],
    place: placeBy(indexAt(entry, 'Offset')),
  };
}

export function licenseDraft(entry: JsonObject, at: TrivyPlace): FindingDraft | undefined {
  const license = textAt(entry, 'Name');
  const [name, file] = [textAt(entry, 'PkgName'), textAt(entry, 'FilePath')];
  if (!license || !(name || file)) return undefined;
  const place = inResource(at, file ?? at.target);
  return {
    ...trivyLicense({ license, name, file }),
    ...severityOf(entry),
    asset: at.asset,
    location: { path: place },
    place,
    references: textsAt(entry, 'Link'),
    tags: ['license', ...textsAt(entry, 'Category')],
  };
}

/** Why there is no fix, by the distributor's word. */
const STATES = new Map([
  ['affected', 'No version with a fix is published yet.'],
  ['under_investigation', 'The distributor is still looking into it.'],
  ['fix_deferred', 'The distributor has put off a fix.'],
  ['will_not_fix', 'The distributor will not fix it in this release.'],
  ['end_of_life', 'The distributor no longer supports this release: update to one that is.'],
]);

function withoutFix(entry: JsonObject): Pick<FindingDraft, 'remediation'> {
  const remediation = textAt(entry, 'FixedVersion') ? undefined : STATES.get(textAt(entry, 'Status') ?? '');
  return remediation ? { remediation } : {};
}

/** In an image `/app` is a directory as any other; elsewhere scanners run where the build machine has the tree. */
const fileOf = ({ asset, target }: TrivyPlace): string => (asset ? cleanPath(target) : pathInTree(target));

const inResource = ({ resource }: TrivyPlace, path: string): string =>
  [resource, path].filter((part) => part).join('/');

/** Trivy's words are ours, besides UNKNOWN. */
function severityOf(entry: JsonObject, score?: number): Pick<FindingDraft, 'severity' | 'toolSeverity'> {
  const word = textAt(entry, 'Severity');
  const scored = score === undefined ? 'info' : severityOfScore(score);
  return { severity: severityOfWord(word) ?? scored, toolSeverity: word };
}

/** From the source of the severity, otherwise from the usual sources; the newest CVSS version first. */
function cvssOf(entry: JsonObject): Pick<FindingDraft, 'cvssVector' | 'cvssScore'> {
  const scores = fieldAt(entry, 'CVSS');
  const sources = [
    textAt(entry, 'SeveritySource') ?? '',
    'nvd',
    'ghsa',
    'redhat',
    ...Object.keys(isObject(scores) ? scores : {}),
  ];
  for (const source of sources)
    for (const version of ['V40', 'V3', 'V2']) {
      const cvssVector = textAt(scores, source, `${version}Vector`);
      if (cvssVector) return { cvssVector, cvssScore: numberAt(scores, source, `${version}Score`) };
    }
  return {};
}

/** The lines that cause the problem. */
function codeOf(code: unknown): string | undefined {
  const lines = listAt(code, 'Lines').filter((line) => fieldAt(line, 'IsCause') === true);
  return lines.map((line) => textAt(line, 'Content') ?? '').join('\n') || undefined;
}
