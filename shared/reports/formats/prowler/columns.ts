import type { Column } from '../../readers/csv-header.ts';

/* The names of each field in the CSV of versions 2, 3 and 4 and in the JSON of versions 2 and 3. */
export const COLUMNS = {
  id: ['CHECK_ID', 'CheckID'],
  title: ['CHECK_TITLE', 'CheckTitle', 'TITLE_TEXT', 'Control'],
  status: ['STATUS', 'Status', 'CHECK_RESULT'],
  detail: ['STATUS_EXTENDED', 'StatusExtended', 'CHECK_RESULT_EXTENDED', 'Message'],
  muted: ['MUTED', 'Muted'],
  severity: ['SEVERITY', 'Severity', 'CHECK_SEVERITY'],
  service: ['SERVICE_NAME', 'ServiceName', 'CHECK_SERVICENAME', 'Service'],
  provider: ['PROVIDER', 'Provider'],
  account: [
    'ACCOUNT_UID',
    'ACCOUNT_ID',
    'AccountId',
    'ACCOUNT_NUM',
    'Account Number',
    'SUBSCRIPTION',
    'Subscription',
    'PROJECT_ID',
    'ProjectId',
  ],
  region: ['REGION', 'Region', 'LOCATION', 'Location'],
  resource: [
    'RESOURCE_UID',
    'RESOURCE_ARN',
    'ResourceArn',
    'RESOURCE_ID',
    'ResourceId',
    'CHECK_RESOURCE_ID',
    'Resource ID',
  ],
  resourceName: ['RESOURCE_NAME', 'ResourceName', 'RESOURCE_ID', 'ResourceId', 'CHECK_RESOURCE_ID', 'Resource ID'],
  resourceType: ['RESOURCE_TYPE', 'ResourceType', 'CHECK_ASFF_RESOURCE_TYPE'],
  description: ['DESCRIPTION', 'Description'],
  risk: ['RISK', 'Risk', 'CHECK_RISK'],
  remediation: ['REMEDIATION_RECOMMENDATION_TEXT', 'CHECK_REMEDIATION'],
  relatedUrl: ['RELATED_URL', 'RelatedUrl'],
  remediationUrl: ['REMEDIATION_RECOMMENDATION_URL', 'CHECK_DOC', 'Doc link'],
  moreUrls: ['ADDITIONAL_URLS'],
} as const satisfies Record<string, readonly string[]>;

/** The columns of each version of the CSV. */
export const CSV_COLUMNS: readonly Column[] = [
  ['CHECK_ID', 'TITLE_ID'],
  ['STATUS', 'CHECK_RESULT'],
  ['STATUS_EXTENDED', 'CHECK_RESULT_EXTENDED'],
];
