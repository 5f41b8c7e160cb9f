import * as z from 'zod';
import { truncatedText } from '#shared/platform/http/bounded-field.ts';
import { Id, objectNamed, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';

export const IDENTITY_KINDS = ['person', 'service'] as const;
export const IDENTITY_STATUSES = ['active', 'disabled', 'deleted'] as const;

/** Alerts and exposed credentials find the identity by each of these values. */
const MAX_NAMES = 10;

/** Names of accounts are compared without regard to case, as directories compare them. */
export const accountName = (text: string): string => text.trim().toLowerCase();

const Name = z.string().trim().min(1).max(300);

/** The statement of an integrator about an identity. */
export const IdentityFields = z.object({
  source: truncatedText(60)
    .min(1)
    .meta({ description: 'the directory or provider of the account', example: 'entra-id' }),
  kind: z.enum(IDENTITY_KINDS).default('person'),
  names: z
    .array(Name)
    .min(1)
    .max(MAX_NAMES)
    .meta({
      description: 'the names and mail addresses of the account in logs and breaches; letter case does not matter',
      example: ['ada@example.com', 'EXAMPLE\\ada'],
    }),
  displayName: truncatedText(200).nullable().default(null),
  status: z
    .enum(IDENTITY_STATUSES)
    .default('active')
    .meta({ description: '`deleted`: the source no longer has the account' }),
  isPrivileged: z
    .boolean()
    .nullable()
    .default(null)
    .meta({ description: 'whether the account is an administrator; null: unknown' }),
  hasMfa: z
    .boolean()
    .nullable()
    .default(null)
    .meta({ description: 'whether the account needs a second factor; null: unknown' }),
  passwordChangedAt: Timestamp.nullable().default(null),
  lastSignInAt: Timestamp.nullable().default(null),
});

/** An account of a person or a service in a directory, as an integrator reported it. */
export const Identity = objectNamed('Identity', {
  ...recordFields,
  integratorId: Id,
  externalId: z.string(),
  ...IdentityFields.shape,
  firstSeenAt: Timestamp,
});
export type Identity = z.infer<typeof Identity>;

/** `key`: of the integrator and its own id of the identity. */
const StoredIdentity = Identity.extend({ key: z.string() });
export type StoredIdentity = z.infer<typeof StoredIdentity>;

const knownWord = (value: boolean | null): string => (value === null ? 'unknown' : String(value));

export const identities = defineEntity(StoredIdentity, {
  name: 'identity',
  facets: ({ status, kind, isPrivileged, hasMfa }) =>
    count({ status, kind, privileged: knownWord(isPrivileged), mfa: knownWord(hasMfa) }),
  search: ({ names, displayName, source }) => [...names.slice(0, 4), displayName, source],
  words: 12,
  indexed: ({ names, status, kind, source, isPrivileged, hasMfa }) => ({
    status,
    kind,
    source: caseless(source),
    name: [...new Set(names.map(accountName))],
    privileged: knownWord(isPrivileged),
    mfa: knownWord(hasMfa),
  }),
  journal: true,
  feedFields: ['names', 'displayName', 'status', 'isPrivileged', 'hasMfa'],
  unique: ({ key }) => ({ key }),
});
