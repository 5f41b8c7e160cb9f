import { type Fields, type Filtered, WORDS } from '#shared/platform/filter/fields.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { accountName, IDENTITY_KINDS, IDENTITY_STATUSES } from './identity.ts';

const KNOWN = ['true', 'false', 'unknown'];

/** The fields of filters of identities. */
const fields: Fields = {
  status: { kind: 'choice', mark: 'status', values: IDENTITY_STATUSES, about: 'the status', example: 'active' },
  kind: { kind: 'choice', mark: 'kind', values: IDENTITY_KINDS, about: 'a person or a service', example: 'person' },
  source: { kind: 'value', mark: 'source', spelled: caseless, about: 'the directory', example: 'entra' },
  name: { kind: 'value', mark: 'name', spelled: accountName, about: 'one of its names', example: 'alice' },
  privileged: {
    kind: 'choice',
    mark: 'privileged',
    values: KNOWN,
    about: 'has rights of an administrator',
    example: 'true',
  },
  mfa: { kind: 'choice', mark: 'mfa', values: KNOWN, about: 'signs in with a second factor', example: 'false' },
  text: WORDS,
};

export const identityFilter: Filtered = { entity: 'identity', fields: () => fields };
