import * as z from 'zod';
import { MAX_MEMBERS } from '#shared/people/scim-group.ts';
import { Id, objectNamed, Timestamp, trimmedText } from '#shared/platform/http/records.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const schemas = z.array(z.string().max(200)).max(10);
const text = trimmedText(254).nullable().optional();
/** Entra ID sends truth values as texts, unless its address has a parameter that asks it not to. */
const Flag = z
  .union([z.boolean(), z.string().regex(/^([Tt]rue|[Ff]alse)$/, 'must be true or false')])
  .transform((value) => String(value).toLowerCase() === 'true');

const Email = z.object({
  value: z.string().trim().max(254).optional(),
  type: z.string().max(60).optional(),
  primary: Flag.optional(),
});

/** One that is not valid is ignored. */
const Preference = z.unknown().optional();

export const UserBody = objectNamed('ScimUserBody', {
  schemas: schemas.optional(),
  userName: trimmedText(254),
  externalId: text,
  name: z.object({ formatted: text, givenName: text, familyName: text }).nullable().optional(),
  displayName: text,
  emails: z.array(Email).max(20).optional(),
  preferredLanguage: Preference,
  locale: Preference.meta({ description: 'counts without `preferredLanguage`' }),
  timezone: Preference.meta({ description: 'a name of the IANA time zone database' }),
  active: Flag.optional(),
}).meta({
  example: {
    schemas: [USER_SCHEMA],
    userName: 'ana@example.org',
    externalId: '00u1abcd',
    name: { givenName: 'Ana', familyName: 'Lima' },
    emails: [{ value: 'ana@example.org', type: 'work', primary: true }],
    active: true,
  },
});
export type UserBody = z.output<typeof UserBody>;

export const GroupBody = objectNamed('ScimGroupBody', {
  schemas: schemas.optional(),
  displayName: trimmedText(254),
  externalId: text,
  members: z
    .array(z.object({ value: z.string().max(60) }))
    .max(MAX_MEMBERS)
    .optional(),
}).meta({ example: { schemas: [GROUP_SCHEMA], displayName: 'Security', members: [] } });
export type GroupBody = z.output<typeof GroupBody>;

export const PatchOperation = z.object({
  op: z.string().max(20).meta({ description: '`add`, `replace` or `remove`, in any letter case' }),
  path: z.string().max(500).optional(),
  value: z.unknown().optional(),
});
export type PatchOperation = z.output<typeof PatchOperation>;

export const PatchBody = objectNamed('ScimPatchBody', {
  schemas: schemas.optional(),
  // Entra ID and RFC 7644 write it with a capital
  Operations: z.array(PatchOperation).min(1).max(1_000),
}).meta({
  example: { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', path: 'externalId', value: '00u1abcd' }] },
});

export const ReadQuery = z.object({
  attributes: z.string().max(1_000).optional().meta({ description: 'ignored: all attributes are answered' }),
  excludedAttributes: z.string().max(1_000).optional().meta({ description: '`members` leaves the members out' }),
});
export type ReadQuery = z.output<typeof ReadQuery>;

export const ListQuery = ReadQuery.extend({
  filter: z.string().max(1_000).optional().meta({ example: 'userName eq "ana@example.org"' }),
  startIndex: z.coerce.number().int().optional().meta({ description: 'from 1; less counts as 1' }),
  count: z.coerce.number().int().optional().meta({ description: 'the most resources of the answer; less than 0 is 0' }),
});
export type ListQuery = z.output<typeof ListQuery>;

const metaOf = (type: 'User' | 'Group') =>
  z.object({
    resourceType: z.literal(type),
    created: Timestamp,
    lastModified: Timestamp,
    location: z.string(),
    version: z.string(),
  });

export const ScimUserAnswer = objectNamed('ScimUser', {
  schemas,
  id: Id,
  externalId: z.string().optional(),
  userName: z.string(),
  name: z.object({ formatted: z.string(), givenName: z.string().optional(), familyName: z.string().optional() }),
  displayName: z.string(),
  emails: z.array(z.object({ value: z.string(), type: z.literal('work'), primary: z.literal(true) })),
  preferredLanguage: z.string(),
  locale: z.string(),
  timezone: z.string(),
  active: z.boolean(),
  meta: metaOf('User'),
});

export const ScimGroupAnswer = objectNamed('ScimGroup', {
  schemas,
  id: Id,
  externalId: z.string().optional(),
  displayName: z.string(),
  members: z.array(z.object({ value: Id })).optional(),
  meta: metaOf('Group'),
});

export const listOf = <T extends z.ZodType>(name: string, resource: T) =>
  objectNamed(name, {
    schemas,
    totalResults: z.int().nonnegative(),
    startIndex: z.int().positive(),
    itemsPerPage: z.int().nonnegative(),
    Resources: z.array(resource),
  });

export const Nothing = z.object({});

const Supported = z.object({ supported: z.boolean() });

export const ServiceProviderConfig = objectNamed('ScimServiceProviderConfig', {
  schemas,
  patch: Supported,
  bulk: Supported.extend({ maxOperations: z.int(), maxPayloadSize: z.int() }),
  filter: Supported.extend({ maxResults: z.int() }),
  changePassword: Supported,
  sort: Supported,
  etag: Supported,
  authenticationSchemes: z.array(z.object({ type: z.string(), name: z.string(), description: z.string() })),
});

const Attribute = z.object({
  name: z.string(),
  type: z.string(),
  multiValued: z.boolean(),
  required: z.boolean(),
  caseExact: z.boolean(),
  mutability: z.string(),
  returned: z.string(),
  uniqueness: z.string(),
});
export type Attribute = z.output<typeof Attribute> & { subAttributes?: Attribute[] };

export const ScimSchema = objectNamed('ScimSchema', {
  schemas,
  id: z.string(),
  name: z.string(),
  description: z.string(),
  attributes: z.array(Attribute.extend({ subAttributes: z.array(Attribute).optional() })),
});

export const ResourceType = objectNamed('ScimResourceType', {
  schemas,
  id: z.string(),
  name: z.string(),
  endpoint: z.string(),
  schema: z.string(),
});
