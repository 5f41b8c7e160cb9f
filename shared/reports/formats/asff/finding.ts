import { severityOfScore } from '../../readers/cvss.ts';
import { type FindingDraft, severityOfWord } from '../../readers/finding.ts';
import { fieldAt, type JsonObject, listAt, numberAt, textAt, textsAt } from '../../readers/json.ts';
import { failedCheck } from '../../readers/security-hub.ts';
import { findCves, findCwes, paragraphs } from '../../readers/text.ts';
import type { ReportComponent, ReportLocation, Severity } from '../../report/report.ts';
import { controlOf } from './control.ts';

/** A finding of Security Hub. Its Id is how the product that sent it recognises it again. */
export function draftOf(entry: JsonObject): FindingDraft | [] | undefined {
  const [id, title, account] = [textAt(entry, 'Id'), textAt(entry, 'Title'), textAt(entry, 'AwsAccountId')];
  if (!id || !title || !account) return undefined;
  if (isGone(entry)) return [];
  const vulnerabilities = listAt(entry, 'Vulnerabilities');
  const [location = {}, ...otherLocations] = listAt(entry, 'Resources').map(locationOf);
  const recommendation = fieldAt(entry, 'Remediation', 'Recommendation');
  return {
    title,
    description: paragraphs(textAt(entry, 'Description'), ...packagesOf(vulnerabilities).map(printed)),
    ...severityOf(entry),
    ruleId: textAt(entry, 'Compliance', 'SecurityControlId') ?? textAt(vulnerabilities[0], 'Id') ?? ruleOf(entry),
    cves: findCves(title, ...vulnerabilities.map((one) => textAt(one, 'Id'))),
    cwes: findCwes(...vulnerabilities.flatMap((one) => textsAt(one, 'Cwes'))),
    ...cvssOf(vulnerabilities),
    asset: { type: 'cloud_account', value: account },
    location,
    otherLocations,
    component: packagesOf(vulnerabilities)[0],
    references: [
      ...textsAt(entry, 'SourceUrl'),
      ...textsAt(recommendation, 'Url'),
      ...vulnerabilities.flatMap((one) => [...textsAt(one, 'Vendor', 'Url'), ...textsAt(one, 'ReferenceUrls')]),
    ],
    remediation: textAt(recommendation, 'Text'),
    tags: tagsOf(entry),
    check: failedCheck(controlOf(entry)),
    identity: [textAt(entry, 'ProductArn') ?? '', id],
  };
}

/** Archived by its product, resolved or suppressed by a person, or a passed control. */
function isGone(entry: JsonObject): boolean {
  const workflow = textAt(entry, 'Workflow', 'Status') ?? textAt(entry, 'WorkflowState') ?? '';
  const compliance = textAt(entry, 'Compliance', 'Status') ?? '';
  return (
    textAt(entry, 'RecordState') === 'ARCHIVED' ||
    /^(?:suppressed|resolved)$/i.test(workflow) ||
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

function packagesOf(vulnerabilities: unknown[]): ReportComponent[] {
  const packages = vulnerabilities.flatMap((one) => listAt(one, 'VulnerablePackages'));
  return packages.flatMap((one) => {
    const name = textAt(one, 'Name');
    const fixed = textsAt(one, 'FixedInVersion').filter((version) => !/^NotAvailable$/i.test(version));
    return name ? [{ name, version: textAt(one, 'Version'), fixedVersions: fixed }] : [];
  });
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
