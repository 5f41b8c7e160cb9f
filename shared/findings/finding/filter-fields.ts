import { checkMarkOf } from '#shared/assets/controls/compliance-counters.ts';
import { WEAKNESS_NAMES } from '#shared/assets/controls/weakness.ts';
import { refName } from '#shared/assets/targets/repository.ts';
import { EXAMPLE_ID, type Fields, type Filtered, previewedField, WORDS } from '#shared/platform/filter/fields.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { mostFirst, placeOfEpss } from '../priority/finding-priority.ts';
import { CHANGED_DAYS, tellingWords } from './filter.ts';
import { FINDING_STATUSES } from './finding-status.ts';
import { toolKey } from './finding-words.ts';

const upper = (text: string): string => text.toUpperCase();

/** Fields that findings share with the vulnerabilities of findings. */
export const sharedFields = {
  severity: {
    kind: 'choice',
    mark: 'severity',
    values: Severity.options,
    about: 'the severity',
    example: 'critical,high',
  },
  tool: { kind: 'value', mark: 'tool', spelled: toolKey, about: 'the tool that reported it', example: 'trivy' },
  tag: { kind: 'value', mark: 'tag', about: 'a tag', example: 'internet' },
  assignee: {
    kind: 'person',
    mark: 'assigneeId',
    absent: true,
    about: 'who works on it: an id, me or none',
    example: 'me',
  },
  application: {
    kind: 'value',
    mark: 'application',
    about: 'the id of an application of its asset',
    example: EXAMPLE_ID,
  },
  'asset.id': { kind: 'value', mark: 'asset', about: 'the id of its asset', example: EXAMPLE_ID },
  kev: { kind: 'flag', mark: 'kev', yes: 'true', about: 'known to be exploited (CISA KEV)', example: 'true' },
  due: {
    kind: 'day',
    order: 'due',
    ahead: true,
    about: 'the day on which the open record is due; due<0d is overdue',
    example: '7d',
  },
  epss: {
    kind: 'number',
    order: 'epss',
    step: 0.01,
    most: 1,
    placeOf: placeOfEpss,
    about: 'the probability of exploitation (FIRST EPSS) of an open record, rounded down to hundredths',
    example: '0.1..',
  },
  priority: {
    kind: 'number',
    order: 'priority',
    step: 1,
    most: 100,
    placeOf: mostFirst,
    about: 'the priority of an open record',
    example: '70..',
  },
  acceptanceEnds: {
    kind: 'day',
    order: 'accepted',
    ahead: true,
    about: 'the day on which the acceptance of the risk ends',
    example: '30d',
  },
  text: { ...WORDS, spelled: tellingWords },
} as const satisfies Fields;

/** The fields of filters of findings. */
const fields: Fields = {
  status: {
    kind: 'choice',
    mark: 'status',
    values: FINDING_STATUSES,
    about: 'the status',
    example: 'open,in_progress',
  },
  ...sharedFields,
  rule: { kind: 'value', mark: 'ruleId', about: 'the rule or check of the tool', example: 'CKV_AWS_20' },
  cve: { kind: 'value', mark: 'cve', spelled: upper, about: 'a CVE', example: 'CVE-2021-44228' },
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
  'asset.zone': { kind: 'value', mark: 'zone', about: 'the zone of its asset', example: 'dmz' },
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
  firstSeen: { kind: 'day', order: 'seen', about: 'the day on which it was seen first', example: '2026-11' },
  updated: {
    kind: 'day',
    order: 'changed',
    reach: CHANGED_DAYS,
    about: `the day of its last change; lists find the last ${CHANGED_DAYS} days`,
    example: '7d',
  },
  preview: previewedField('status', FINDING_STATUSES),
};

export const findingFilter: Filtered = { entity: 'finding', fields };
