import * as z from 'zod';
import { RefPatterns } from '#shared/credentials/bound-to.ts';
import { CREDENTIAL_STATUSES } from '#shared/credentials/credential-status.ts';
import { live, objectNamed, readOnly, recordFields, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { addressOf, CODE_HOSTS, type CodeHost, HttpsUrl } from './integration.ts';

/** A repository whose CI jobs get tokens for their identity at the code host, so that no key is stored in CI. */
export const TrustedPublisher = objectNamed('TrustedPublisher', {
  ...recordFields,
  kind: z.enum(CODE_HOSTS).meta({ description: '`codehost_a` is GitHub, `codehost_b` GitLab', example: 'codehost_a' }),
  baseUrl: HttpsUrl.nullable().default(null).meta({
    description:
      'the host of a self-hosted installation, which a code host connection of the organization has; null: the public host',
  }),
  repository: trimmedText(255)
    .regex(/^[\w.-]+(\/[\w.-]+)+$/, 'must be the path of a repository, such as acme/shop')
    .meta({ description: 'its path', example: 'acme/shop' }),
  repositoryId: z
    .string()
    .regex(/^\d{1,20}$/, 'must be a number')
    .nullable()
    .default(null)
    .meta({
      description:
        'the id of the repository at its host, which outlives a rename; null: the first token sets it. Another repository of the same name is refused',
    }),
  refs: RefPatterns.default(['*']),
  pullRequests: z
    .boolean()
    .default(true)
    .meta({ description: 'whether pull requests (merge requests) get tokens, each for its own branch' }),
  environment: trimmedText(255)
    .nullable()
    .default(null)
    .meta({ description: 'only jobs of this environment get tokens; null: all jobs' }),
  endsBranches: z
    .boolean()
    .default(true)
    .meta({ description: 'whether a job that GitHub starts for a deleted branch may end branches' }),
  lastUsedAt: live(Timestamp.nullable().default(null)).meta({ description: 'accurate to an hour', readOnly: true }),
  status: readOnly(z.enum(CREDENTIAL_STATUSES)),
  revokedAt: readOnly(Timestamp.nullable()),
});
export type TrustedPublisher = z.infer<typeof TrustedPublisher>;

type At = { kind: CodeHost; baseUrl: string | null };

/** The issuer of the identities of jobs: https://docs.github.com/actions/reference/openid-connect-reference, https://docs.gitlab.com/ci/secrets/id_token_authentication */
export const issuerOf = ({ kind, baseUrl }: At): string =>
  kind === 'codehost_b'
    ? addressOf({ kind, baseUrl })
    : baseUrl === null
      ? 'https://token.actions.githubusercontent.com'
      : `${baseUrl}/_services/token`;

/** Under which the rules of a repository are found. The hosts ignore letter case. */
export const publisherKey = (issuer: string, repository: string): string => `${issuer} ${repository.toLowerCase()}`;

export const trustedPublishers = defineEntity<TrustedPublisher>(TrustedPublisher, {
  name: 'trusted-publisher',
  feedFields: [
    'repository',
    'repositoryId',
    'refs',
    'pullRequests',
    'environment',
    'endsBranches',
    'status',
    'revokedAt',
  ],
  indexed: ({ repository, revokedAt, ...at }) => ({
    repository: revokedAt === null ? publisherKey(issuerOf(at), repository) : undefined,
  }),
});
