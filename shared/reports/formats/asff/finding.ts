import { severityOfScore } from '../../readers/cvss.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { fieldAt, type JsonObject, listAt, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { wholeVersion } from '../../readers/package-problem.ts';
import { failedCheck, NOTHING_TO_LOOK_AT } from '../../readers/security-hub.ts';
import { findCves, findCwes, paragraphs } from '../../readers/text.ts';
import { withoutVersions } from '../../readers/versioned-path.ts';
import type { ReportComponent, ReportLocation, Severity } from '../../report/report.ts';
import { controlOf } from './control.ts';

/** A finding of Security Hub. Its Id is how the product that sent it recognises it again. */
export function draftsOf(entry: JsonObject): FindingDraft | FindingDraft[] | undefined {
  const [id, title, account] = [textAt(entry, 'Id'), textAt(entry, 'Title'), textAt(entry, 'AwsAccountId')];
  if (!id || !title || !account) return undefined;
  const muted = isMuted(entry);
  if (!muted && isGone(entry)) return [];
  const vulnerabilities = listAt(entry, 'Vulnerabilities');
  const [location = {}, ...otherLocations] = listAt(entry, 'Resources').map(locationOf);
  const recommendation = fieldAt(entry, 'Remediation', 'Recommendation');
  const packages = packagesOf(vulnerabilities);
  const draft: FindingDraft = {
    title,
    description: paragraphs(textAt(entry, 'Description'), ...packages.map(({ component }) => printed(component))),
    ...severityOf(entry),
    ruleId: textAt(entry, 'Compliance', 'SecurityControlId') ?? textAt(vulnerabilities[0], 'Id') ?? ruleOf(entry),
    cves: findCves(title, ...vulnerabilities.map((one) => textAt(one, 'Id'))),
    cwes: findCwes(...vulnerabilities.flatMap((one) => textsAt(one, 'Cwes'))),
    ...cvssOf(vulnerabilities),
    asset: { type: 'cloud_account', value: account },
    location,
    otherLocations,
    references: [
      ...textsAt(entry, 'SourceUrl'),
      ...textsAt(recommendation, 'Url'),
      ...vulnerabilities.flatMap((one) => [...textsAt(one, 'Vendor', 'Url'), ...textsAt(one, 'ReferenceUrls')]),
    ],
    remediation: textAt(recommendation, 'Text'),
    tags: tagsOf(entry),
    check: failedCheck(controlOf(entry)),
    identity: [textAt(entry, 'ProductArn') ?? '', id],
    ...(muted && { muted }),
  };
  return packages.length === 0 ? draft : packages.map((found, n) => withPackage(draft, found, n));
}

/** Each package is updated on its own, so each one behind the first is a finding of its own. */
const withPackage = (draft: FindingDraft, { component, path }: Affected, n: number): FindingDraft => ({
  ...draft,
  component,
  place: path,
  identity: n === 0 ? draft.identity : [...draft.identity, component.name, withoutVersions(path)],
});

/** Why a control without a result has nothing to judge. All other reasons are errors and denied accesses (ASFF, `StatusReasons`). */
const NO_ERROR = ['CONFIG_RETURNS_NOT_APPLICABLE', NOTHING_TO_LOOK_AT];

/** The hub could not evaluate the control, so that an earlier finding of it may hold. */
export function isUnjudged(entry: JsonObject): boolean {
  if (textAt(entry, 'Compliance', 'Status') !== 'NOT_AVAILABLE' || textAt(entry, 'RecordState') === 'ARCHIVED')
    return false;
  const reasons = listAt(entry, 'Compliance', 'StatusReasons').flatMap((reason) => textsAt(reason, 'ReasonCode'));
  return reasons.some((reason) => !NO_ERROR.includes(reason));
}

/**
 * A check fails, and somebody decided to be silent about it: in Security Hub, or in Prowler, which writes WARNING for what is muted.
 * https://github.com/prowler-cloud/prowler/blob/master/prowler/lib/outputs/asff/asff.py
 */
function isMuted(entry: JsonObject): boolean {
  if (textAt(entry, 'RecordState') === 'ARCHIVED') return false;
  const compliance = textAt(entry, 'Compliance', 'Status');
  if (compliance === 'WARNING') return textAt(entry, 'ProductFields', 'ProviderName') === 'Prowler';
  return compliance === 'FAILED' && /^suppressed$/i.test(workflowOf(entry));
}

const workflowOf = (entry: JsonObject): string =>
  textAt(entry, 'Workflow', 'Status') ?? textAt(entry, 'WorkflowState') ?? '';

/** Archived by its product, resolved or suppressed by a person, or a passed control. */
function isGone(entry: JsonObject): boolean {
  const compliance = textAt(entry, 'Compliance', 'Status') ?? '';
  return (
    textAt(entry, 'RecordState') === 'ARCHIVED' ||
    /^(?:suppressed|resolved)$/i.test(workflowOf(entry)) ||
    /^(?:passed|not_available)$/i.test(compliance)
  );
}

function severityOf(entry: JsonObject): Pick<FindingDraft, 'severity' | 'toolSeverity'> {
  const label = textAt(entry, 'Severity', 'Label');
  const normalized = numberAt(entry, 'Severity', 'Normalized');
  const score = normalized === undefined ? undefined : ofNormalized(normalized);
  if (label) return { severity: severityOfWord(label) ?? 'info', toolSeverity: label };
  const product = numberAt(entry, 'Severity', 'Product');
  const severity = score ?? (product === undefined ? 'info' : severityOfScore(product));
  return { severity, toolSeverity: normalized === undefined ? undefined : String(normalized) };
}

/** The scale of Security Hub before labels: 1 to 39 low, to 69 medium, to 89 high. */
function ofNormalized(value: number): Severity {
  if (value >= 90) return 'critical';
  if (value >= 70) return 'high';
  if (value >= 40) return 'medium';
  return value > 0 ? 'low' : 'info';
}

/** A generator may be a detector of one account; then the type names the rule. */
function ruleOf(entry: JsonObject): string {
  const generator = textAt(entry, 'GeneratorId') ?? 'unknown';
  const type = textsAt(entry, 'Types').at(-1)?.split('/').at(-1);
  return /:detector\//.test(generator) && type ? type : generator;
}

/** The newest CVSS version that has a vector. */
function cvssOf(vulnerabilities: unknown[]): Pick<FindingDraft, 'cvssScore' | 'cvssVector'> {
  const scores = vulnerabilities.flatMap((one) => listAt(one, 'Cvss'));
  const newest = scores.sort((a, b) => (numberAt(b, 'Version') ?? 0) - (numberAt(a, 'Version') ?? 0))[0];
  return { cvssScore: numberAt(newest, 'BaseScore'), cvssVector: textAt(newest, 'BaseVector') };
}

/** A package with the file that it is in; '' for one of the operating system. */
type Affected = { component: ReportComponent; path: string };

/** Each package once, in an order that the next report has too. */
function packagesOf(vulnerabilities: unknown[]): Affected[] {
  const packages = vulnerabilities.flatMap((one) => listAt(one, 'VulnerablePackages'));
  const all = packages.flatMap((one) => {
    const name = textAt(one, 'Name');
    const fixedVersions = textsAt(one, 'FixedInVersion').filter((version) => !/^NotAvailable$/i.test(version));
    const version = wholeVersion(textAt(one, 'Version'), {
      epoch: Number(textAt(one, 'Epoch') ?? numberAt(one, 'Epoch') ?? 0),
      release: textAt(one, 'Release'),
    });
    return name ? [{ component: { name, version, fixedVersions }, path: textAt(one, 'FilePath') ?? '' }] : [];
  });
  const keyOf = ({ component, path }: Affected) => JSON.stringify([component.name, path, component.version]);
  const each = new Map(all.reverse().map((one) => [keyOf(one), one]));
  return [...each].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

const printed = ({ name, version = '', fixedVersions }: ReportComponent): string =>
  `Package ${name} ${version}${fixedVersions.length > 0 ? `, fixed in ${fixedVersions.join(', ')}` : ''}`;

const locationOf = (resource: unknown): ReportLocation => ({ path: textAt(resource, 'Id') });

function tagsOf(entry: JsonObject): string[] {
  const product = textAt(entry, 'ProductName') ?? textAt(entry, 'ProductFields', 'aws/securityhub/ProductName');
  const resources = listAt(entry, 'Resources').flatMap((resource) => textAt(resource, 'Type') ?? []);
  const requirements = textsAt(entry, 'Compliance', 'RelatedRequirements');
  return [
    ...(product ? [product] : []),
    ...textsAt(entry, 'Region'),
    ...resources,
    ...textsAt(entry, 'Types'),
    ...requirements,
  ];
}
