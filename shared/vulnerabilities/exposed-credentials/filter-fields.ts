import { toolKey } from '#shared/findings/finding/finding-words.ts';
import { EXAMPLE_ID, type Fields, type Filtered, previewedField, WORDS } from '#shared/platform/filter/fields.ts';
import { CREDENTIAL_KINDS } from '#shared/reports/report/report.ts';
import { CREDENTIAL_SOURCES, CREDENTIAL_STATUSES } from './exposed-credential.ts';

/** The fields of filters of exposed credentials. */
const fields: Fields = {
  status: { kind: 'choice', mark: 'status', values: CREDENTIAL_STATUSES, about: 'the status', example: 'active' },
  kind: { kind: 'choice', mark: 'kind', values: CREDENTIAL_KINDS, about: 'the kind of secret', example: 'api_key' },
  source: { kind: 'choice', mark: 'source', values: CREDENTIAL_SOURCES, about: 'who found it', example: 'breach' },
  tool: { kind: 'value', mark: 'tool', spelled: toolKey, about: 'a scanner or a breach', example: 'gitleaks' },
  verified: {
    kind: 'choice',
    mark: 'verified',
    values: ['true', 'false', 'unknown'],
    absent: 'unknown',
    about: 'whether it worked at the last check',
    example: 'true',
  },
  'asset.id': { kind: 'value', mark: 'asset', about: 'the id of an asset that has it', example: EXAMPLE_ID },
  account: {
    kind: 'value',
    mark: 'account',
    spelled: (text) => text.toLowerCase(),
    about: 'its account',
    example: 'alice',
  },
  rotated: { kind: 'day', order: 'rotated', about: 'the day on which it was rotated', example: '30d' },
  text: WORDS,
  preview: previewedField('status', CREDENTIAL_STATUSES),
};

export const credentialFilter: Filtered = { entity: 'exposed-credential', fields: () => fields };
