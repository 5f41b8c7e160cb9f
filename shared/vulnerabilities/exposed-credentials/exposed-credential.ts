import * as z from 'zod';
import { CommonPlace, commonMarks, IN_PART_OF_ALL } from '#shared/assets/asset/common-place.ts';
import { FindingAsset } from '#shared/findings/finding/finding.ts';
import { FINDING_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { lastPart, toolKey } from '#shared/findings/finding/finding-words.ts';
import { Actor, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { CREDENTIAL_KINDS } from '#shared/reports/report/report.ts';
import { dayOf, dayTally } from '#shared/reports/report/time-measures.ts';

export const CREDENTIAL_STATUSES = ['active', 'rotated', 'revoked', 'false_positive'] as const;
export const CREDENTIAL_SOURCES = ['scanner', 'breach'] as const;

const { createdBy: _createdBy, ...stamps } = recordFields;
const Check = z.object({ at: Timestamp, verified: z.boolean() });

export const ExposedCredential = objectNamed('ExposedCredential', {
  ...stamps,
  kind: readOnly(z.enum(CREDENTIAL_KINDS)),
  masked: readOnly(
    z
      .string()
      .nullable()
      .meta({ description: 'the first and last characters; null: no source reported the secret itself' }),
  ),
  account: readOnly(z.string().nullable().meta({ description: 'the account of the secret, if a source reports it' })),
  sources: readOnly(z.array(z.enum(CREDENTIAL_SOURCES))),
  tools: readOnly(z.array(z.string()).meta({ description: 'scanners and breaches that have it' })),
  status: z.enum(CREDENTIAL_STATUSES).meta({ example: 'rotated' }),
  statusReason: readOnly(z.string().nullable()),
  decidedBy: readOnly(
    Actor.nullable().meta({ description: 'null: no person has decided; the status comes from checks' }),
  ),
  verified: readOnly(
    z
      .boolean()
      .nullable()
      .meta({ description: 'the last check: true if it could sign in, false if it was refused; null: no check' }),
  ),
  checkedAt: readOnly(Timestamp.nullable()),
  places: readOnly(z.int().nonnegative().meta({ description: 'findings and breach records that have it' })),
  openPlaces: readOnly(
    z.int().nonnegative().meta({ description: 'remaining places: breach records, and findings that are not fixed' }),
  ),
  assets: readOnly(z.array(FindingAsset).meta({ description: 'the first 20' })),
  firstSeenAt: readOnly(Timestamp),
  endedAt: readOnly(
    Timestamp.nullable().meta({
      description: 'when it was rotated, revoked or became a false positive; null if only its findings decide',
    }),
  ),
});
export type ExposedCredential = z.infer<typeof ExposedCredential>;

/** The share of one finding or breach record in an exposed credential. */
const CredentialFacts = z.object({
  source: z.enum(CREDENTIAL_SOURCES),
  kind: z.enum(CREDENTIAL_KINDS),
  masked: z.string().optional(),
  account: z.string().optional(),
  tool: z.string(),
  check: Check.optional(),
  asset: FindingAsset.optional(),
  applicationIds: z.array(z.string()).optional(),
  assetOwnerId: z.string().optional(),
  /** For a finding: its own status, independent of the decision on the credential. */
  status: z.enum(FINDING_STATUSES).optional(),
  firstSeenAt: Timestamp,
});
export type CredentialFacts = z.infer<typeof CredentialFacts>;

const CredentialDecision = z.object({
  status: z.enum(CREDENTIAL_STATUSES),
  reason: z.string().optional(),
  at: Timestamp,
  by: Actor,
});

/** An exposed credential as it is in the table. All but `decision` follows from its findings and breach records. */
export const StoredCredential = z.object({
  ...recordFields,
  /** Keyed hash of the secret's text; of an unknown secret, of its place. */
  key: z.string(),
  kind: z.enum(CREDENTIAL_KINDS),
  masked: z.string().optional(),
  account: z.string().optional(),
  sources: z.array(z.enum(CREDENTIAL_SOURCES)),
  tools: z.array(z.string()),
  status: z.enum(CREDENTIAL_STATUSES),
  decision: CredentialDecision.optional(),
  check: Check.optional(),
  places: z.int(),
  openPlaces: z.int(),
  assets: z.array(FindingAsset),
  common: CommonPlace.optional(),
  firstSeenAt: Timestamp,
  endedAt: Timestamp.optional(),
  /** The facts of its findings and breach records, each with the number of records that have it. */
  said: z.array(z.tuple([CredentialFacts, z.int()])),
});
export type StoredCredential = z.infer<typeof StoredCredential>;

/** Most assets by which a credential is found: each is a row of the index. */
export const MAX_ASSETS = 50;

const verifiedIn = ({ check }: Pick<StoredCredential, 'check'>): string | null =>
  check === undefined ? null : String(check.verified);

export const exposedCredentials = defineEntity(StoredCredential, {
  name: 'exposed-credential',
  together: true,
  dimensions: { status: CREDENTIAL_STATUSES },
  /** `decided`: credentials whose findings follow a person's decision that they are false. */
  facets: (credential) => {
    const { status, kind, sources, decision } = credential;
    return {
      ...count({ status, kind }),
      ...Object.fromEntries(sources.map((source) => [`source:${source}`, 1])),
      ...(decision?.status === 'false_positive' && { decided: 1 }),
      ...(status === 'active' && credential.check?.verified && { activeVerified: 1 }),
    };
  },
  /** `rotated`: by the day of their rotation. */
  tallies: ({ status, endedAt }) => (status === 'rotated' && endedAt ? [dayTally('rotated', endedAt)] : []),
  search: ({ masked, account, tools, kind, assets }) => [
    account,
    ...assets.slice(0, 3).map(({ name }) => lastPart(name)),
    masked,
    kind,
    ...tools.slice(0, 3),
  ],
  words: 12,
  inPart: IN_PART_OF_ALL,
  indexed: ({ kind, sources, tools, account, assets, ...credential }) => ({
    ...commonMarks(credential.common),
    kind,
    source: sources,
    tool: tools.map(toolKey),
    account: account?.toLowerCase(),
    asset: assets.slice(0, MAX_ASSETS).map(({ id }) => id),
    verified: verifiedIn(credential),
  }),
  /** `active`: those that are, the oldest first. */
  ordered: ({ status, firstSeenAt, endedAt }) => ({
    active: status === 'active' ? firstSeenAt.slice(0, 19) : undefined,
    rotated: status === 'rotated' && endedAt ? dayOf(endedAt) : undefined,
  }),
  journal: true,
  feedFields: ['kind', 'masked', 'account', 'status', 'decision', 'places', 'openPlaces', 'sources'],
  unique: ({ key }) => ({ key }),
  detail: ['createdBy', 'said'],
});
