import { checkMarkOf } from '#shared/assets/controls/compliance-counters.ts';
import { WEAKNESS_NAMES } from '#shared/assets/controls/weakness.ts';
import { refName } from '#shared/assets/targets/repository.ts';
import { EXAMPLE_ID, type Fields, previewedField } from '#shared/platform/filter/fields.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import { withBehind } from './behind-filter-fields.ts';
import { CHANGED_DAYS } from './filter.ts';
import type { StoredFinding } from './finding.ts';
import { FIXED_BY } from './finding-measures.ts';
import { FINDING_STATUSES } from './finding-status.ts';
import { sharedFields } from './shared-filter-fields.ts';

const upper = (text: string): string => text.toUpperCase();

/** The facts of a finding that rules read. */
type Facts = Pick<StoredFinding, 'ruleId' | 'tool' | 'cves' | 'asset'> & Partial<Pick<StoredFinding, 'locationDetail'>>;

const read = (of: (finding: Facts) => readonly string[]) => ({ read: of });

/** The hosts and addresses of a finding, and the name of its asset. */
function hostsOf({ asset, locationDetail: { host, url } = {} }: Facts): string[] {
  const urls = [url, asset.name].flatMap((text) => (text && URL.parse(text)?.hostname) || []);
  return [host ?? [], asset.name, urls].flat();
}

/** The fields of filters of findings. */
const own: Fields = {
  status: {
    kind: 'choice',
    mark: 'status',
    values: FINDING_STATUSES,
    about: 'the status',
    example: 'open,in_progress',
  },
  ...sharedFields,
  tool: { ...sharedFields.tool, ...read(({ tool }) => [tool]) },
  rule: {
    kind: 'value',
    mark: 'ruleId',
    about: 'the rule or check of the tool',
    example: 'CKV_AWS_20',
    ...read(({ ruleId }) => [ruleId]),
  },
  cve: {
    kind: 'value',
    mark: 'cve',
    spelled: upper,
    about: 'a CVE',
    example: 'CVE-2021-44228',
    ...read(({ cves }) => cves),
  },
  path: {
    kind: 'names',
    about: 'the file',
    example: 'test/*',
    ...read(({ locationDetail }) => [locationDetail?.path ?? []].flat()),
  },
  host: {
    kind: 'names',
    caseless: true,
    about: 'the host or address, or the name of the asset',
    example: '*.lab.example.com',
    ...read(hostsOf),
  },
  cwe: { kind: 'value', mark: 'cwe', spelled: upper, about: 'a CWE', example: 'CWE-79' },
  weakness: {
    kind: 'choice',
    mark: 'weakness',
    values: WEAKNESS_NAMES,
    about: 'the weakness for controls',
    example: 'patching',
  },
  check: {
    kind: 'value',
    mark: 'check',
    spelled: checkMarkOf,
    about: 'a check of a benchmark that failed',
    example: 'cis_kubernetes 1.2.1',
  },
  branch: {
    kind: 'value',
    mark: 'ref',
    spelled: refName,
    absent: true,
    about: 'the branch; for a branch other than the default branch, what only that branch has',
    example: 'main',
  },
  'asset.type': {
    kind: 'choice',
    mark: 'assetType',
    values: AssetType.options,
    about: 'the type of its asset',
    example: 'host',
  },
  engagement: { kind: 'value', mark: 'engagement', about: 'the id of its engagement', example: EXAMPLE_ID },
  remediation: {
    kind: 'value',
    mark: 'remediationId',
    about: 'the id of a remediation that repairs it',
    example: EXAMPLE_ID,
  },
  suppressedBy: {
    kind: 'value',
    mark: 'suppressedBy',
    about: 'the id of a suppression rule or VEX document',
    example: EXAMPLE_ID,
  },
  task: { kind: 'value', mark: 'task', about: 'the import or scan that reported it first', example: EXAMPLE_ID },
  updated: {
    kind: 'day',
    order: 'changed',
    reach: CHANGED_DAYS,
    about: `the day of its last change; lists find the last ${CHANGED_DAYS} days`,
    example: '7d',
  },
  fixedBy: {
    kind: 'choice',
    mark: 'fixedBy',
    values: FIXED_BY,
    about: 'what says that the fixed finding is gone: a scan that did not find it, or a person',
    example: 'scan',
  },
  preview: previewedField('status', FINDING_STATUSES),
};

export const findingFilterFields: Fields = withBehind(own);
