import * as z from 'zod';
import { PartScope } from '#shared/credentials/part.ts';
import { ClientRoleId } from '#shared/credentials/role-id.ts';
import { Id, readOnly, recordFields, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { secondsAfter } from '#shared/platform/runtime/clock.ts';
import type { StateMachine } from '#shared/platform/runtime/state-machine.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { SamlSettings } from './saml-settings.ts';

const PROVIDER_KINDS = ['oidc', 'saml'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

const PROVIDER_STATUSES = ['draft', 'tested', 'active', 'disabled'] as const;
type ProviderStatus = (typeof PROVIDER_STATUSES)[number];

/** Nobody signs in with a provider that nobody has tested. */
export const providerStates: StateMachine<ProviderStatus, 'test' | 'activate' | 'disable'> = {
  draft: { test: 'tested' },
  tested: { activate: 'active' },
  active: { disable: 'disabled' },
  disabled: { activate: 'active' },
};

/** The most connections of an organization: each sign-in and each refresh reads the active ones. */
export const MAX_PROVIDERS = 10;

const OidcSettings = z.object({
  issuer: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://login.example.com' })
    .max(300)
    .meta({
      description: 'the address below which `.well-known/openid-configuration` is',
      example: 'https://login.example.com',
    }),
  clientId: trimmedText(300).meta({ example: 'exposure' }),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be a scope of OAuth, without spaces'))
    .max(20)
    .default(['openid', 'email', 'profile'])
    .meta({ description: '`openid` is always asked for; `groups` for groups at Okta' }),
});

/** In place of the role of people without a match: they are refused. */
export const NO_ROLE = 'none';

const MappedRole = ClientRoleId.refine((role) => role !== 'owner', 'must be another role: only owners make owners');

const Mapping = z
  .strictObject({
    claim: trimmedText(200).meta({
      description: 'the name of a claim; a point leads into an object: `realm_access.roles`',
      example: 'groups',
    }),
    equals: trimmedText(300).meta({
      description: 'the value of the claim, or one of its values',
      example: 'exposure-analysts',
    }),
    roleId: MappedRole.optional(),
    scope: PartScope.optional(),
    teamId: Id.optional().meta({ description: 'a team of which people with the claim are members' }),
  })
  .refine(({ roleId, teamId }) => roleId !== undefined || teamId !== undefined, {
    path: ['roleId'],
    message: 'must be given, or teamId, or both',
  })
  .refine(({ roleId, scope }) => roleId !== undefined || scope === undefined, {
    path: ['scope'],
    message: 'must be left out without roleId',
  });
export type Mapping = z.infer<typeof Mapping>;

const DnsRecord = z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() });

const Domain = z.object({
  name: z.string(),
  status: z.enum(['pending', 'verified', 'lapsed']).meta({
    description:
      '`lapsed`: the record was missing for too long; the domain counts for nothing until it is verified again',
  }),
  missingSince: Timestamp.nullable()
    .default(null)
    .meta({ description: 'when the DNS record was first missing; it is looked up daily' }),
  dnsRecord: DnsRecord.meta({ description: 'the record that proves the domain' }),
});

export type ProviderDomain = z.infer<typeof Domain>;

/** A connection to an identity provider of the organization. */
export const IdentityProvider = z.object({
  ...recordFields,
  kind: z.enum(PROVIDER_KINDS).meta({ description: '`oidc`: OpenID Connect; `saml`: SAML 2.0', example: 'oidc' }),
  name: trimmedText(80).meta({ description: 'on the button of the sign-in page', example: 'Example login' }),
  oidc: OidcSettings.nullable()
    .default(null)
    .meta({ description: 'the settings of the kind `oidc`; null until the provider knows the redirect URI' }),
  saml: SamlSettings.nullable()
    .default(null)
    .meta({ description: 'the settings of the kind `saml`; null until the provider knows `acsUrl` and `entityId`' }),
  mapping: z
    .array(Mapping)
    .max(100)
    .default([])
    .meta({
      description:
        'which role and teams a person gets at each sign-in: for the role the first row that matches counts, for teams each row. A ' +
        'sign-in without the claims changes nothing; with all claims and no match the role is `unmatchedRoleId`, and the person leaves the ' +
        'teams of the rows. Owners keep their role. Without a `scope` in any row the part of a user stays',
    }),
  unmatchedRoleId: z
    .union([z.literal(NO_ROLE), MappedRole])
    .default('viewer')
    .meta({
      description:
        'the role of a new person to whom no row of the mapping gives one, and of everybody with all claims and no match; `none`: they are ' +
        'refused, except owners',
      example: 'viewer',
    }),
  enforcement: z
    .enum(['off', 'mixed', 'enforced'])
    .default('off')
    .meta({
      description:
        '`mixed`: people with an address in a proved domain sign in with the provider only; `enforced`: everybody; owners may still ' +
        'use a letter, which the audit log shows. Counts while the provider is active and has a proved domain',
    }),
  domains: readOnly(z.array(Domain).default([])).meta({ readOnly: true }),
  problems: readOnly(z.array(z.string()).default([])).meta({
    description: 'what is wrong with the domains, and until when they count',
    readOnly: true,
  }),
  status: readOnly(z.enum(PROVIDER_STATUSES)),
  secretUpdatedAt: readOnly(Timestamp.nullable().default(null)).meta({
    description: 'when the client secret was set; null: there is none',
    readOnly: true,
  }),
});
export type IdentityProvider = z.infer<typeof IdentityProvider>;

/** Days for which a record may be missing, for example while a domain moves to other name servers. */
const MISSING_DAYS = 7;

export const lapsesAt = (missingSince: string): string => secondsAfter(missingSince, MISSING_DAYS * 86_400);

/** The domains with what is wrong with them: short, because the audit log shows short values only. */
export const withProblems = (domains: ProviderDomain[]) => ({
  domains,
  problems: domains.flatMap(({ name, status, missingSince }) => {
    if (!missingSince) return [];
    const since = `${name}: the DNS record is missing since ${missingSince.slice(0, 10)}`;
    return status === 'lapsed'
      ? `${since}. Add the record and verify the domain`
      : `${since}. The domain counts until ${lapsesAt(missingSince).slice(0, 10)}`;
  }),
});

/** Whether anybody can sign in at the provider: without a proved domain it vouches for no address. */
export const isProved = ({ domains }: Pick<IdentityProvider, 'domains'>): boolean =>
  domains.some(({ status }) => status === 'verified');

export const identityProviders = defineEntity(IdentityProvider, {
  name: 'identity-provider',
  inPart: 'whole',
  feedFields: [
    'kind',
    'name',
    'oidc',
    'saml',
    'mapping',
    'unmatchedRoleId',
    'enforcement',
    'domains',
    'problems',
    'status',
    'secretUpdatedAt',
  ],
  dimensions: { status: PROVIDER_STATUSES },
  unique: ({ name }) => ({ name: name.toLowerCase() }),
});
