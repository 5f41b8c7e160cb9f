import type * as z from 'zod';
import {
  type Attribute,
  GROUP_SCHEMA,
  type ResourceType,
  type ScimSchema,
  type ServiceProviderConfig,
  USER_SCHEMA,
} from './resources.ts';

const core = (name: string): string => `urn:ietf:params:scim:schemas:core:2.0:${name}`;

/** The parts of SCIM that this service supports (RFC 7643, section 5). */
export const config: z.output<typeof ServiceProviderConfig> = {
  schemas: [core('ServiceProviderConfig')],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'the client id and the client secret of a service account, joined by a point',
    },
  ],
};

const attribute = (name: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});

const ours = [
  attribute('id', { caseExact: true, mutability: 'readOnly', returned: 'always', uniqueness: 'server' }),
  attribute('externalId', { caseExact: true, uniqueness: 'server' }),
];
const complex = { type: 'complex' } as const;
const once = { required: true, uniqueness: 'server' } as const;

export const schemaResources: z.output<typeof ScimSchema>[] = [
  {
    schemas: [core('Schema')],
    id: USER_SCHEMA,
    name: 'User',
    description: 'a user of the organization',
    attributes: [
      ...ours,
      attribute('userName', once),
      attribute('name', {
        ...complex,
        subAttributes: ['formatted', 'givenName', 'familyName'].map((name) => attribute(name)),
      }),
      attribute('displayName'),
      attribute('emails', {
        ...complex,
        multiValued: true,
        mutability: 'immutable',
        subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
      }),
      attribute('preferredLanguage'),
      attribute('locale'),
      attribute('timezone'),
      attribute('active', { type: 'boolean' }),
    ],
  },
  {
    schemas: [core('Schema')],
    id: GROUP_SCHEMA,
    name: 'Group',
    description: 'a set of users of the organization, which gives no role',
    attributes: [
      ...ours,
      attribute('displayName', once),
      attribute('members', {
        ...complex,
        multiValued: true,
        subAttributes: [attribute('value', { caseExact: true, mutability: 'immutable' })],
      }),
    ],
  },
];

const resourceType = (name: string, schema: string): z.output<typeof ResourceType> => ({
  schemas: [core('ResourceType')],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
});

export const resourceTypes = [resourceType('User', USER_SCHEMA), resourceType('Group', GROUP_SCHEMA)];
