import { createHash } from 'node:crypto';
import { addressOf, CODE_HOSTS, type CodeHost, integrations } from '#shared/code/integrations/integration.ts';
import {
  issuerOf,
  publisherKey,
  type TrustedPublisher,
  trustedPublishers,
} from '#shared/code/integrations/trusted-publisher.ts';
import { useOnce } from '#shared/people/used-challenge.ts';
import type { Claims } from '#shared/platform/auth/access-token.ts';
import { readCredential } from '#shared/platform/auth/credential.ts';
import { tellEvent, tellRefusedSignIn } from '#shared/platform/auth/events.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { isId, newId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Cause } from '#shared/platform/table/actor.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { issuerIn, provenClaims } from './identity-token.ts';
import { boundsOf, type Job, readJob } from './job.ts';
import type { OAuthTokenRequest } from './routes.ts';

/** RFC 8693, section 3. */
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
const SUBJECT_TYPES = ['urn:ietf:params:oauth:token-type:jwt', 'urn:ietf:params:oauth:token-type:id_token'];
const SECONDS = 600;
/** Longer than the clocks of issuers differ from ours. */
const LATE_SECONDS = 300;
const SCOPE = 'imports:write';

type TokenCall = { connections: Connections; cause: Cause; body: OAuthTokenRequest };

/**
 * Exchanges the identity of a CI job, which its code host signs, for a token with which the job reports on its own branch.
 * @throws invalid_request, invalid_scope, invalid_grant
 */
export async function exchangeIdentity({ connections, cause, body }: TokenCall) {
  const { subject_token: token, subject_token_type: type = '', organization_id: organizationId = '', scope } = body;
  if (token === undefined || !SUBJECT_TYPES.includes(type) || !isId(organizationId))
    throw new ApiError(
      'invalid_request',
      `Send subject_token, subject_token_type (${SUBJECT_TYPES.join(' or ')}) and organization_id.`,
    );
  if (scope !== undefined && scope !== SCOPE)
    throw new ApiError('invalid_scope', `The scope must be ${SCOPE}, or left out.`);
  const table = openTable(connections.dynamo, organizationId);
  const issuer = issuerIn(token);
  const host = await hostWith(table, issuer);
  const claims = await provenClaims(connections, token, issuer);
  const job = readJob[host.kind](claims);
  if (!job) throw new ApiError('invalid_grant', 'The identity token is not that of a CI job.');
  const { publisher, bound } = await admitted({ table, cause }, { issuer, host, job });
  await useUp(table, { issuer, jti: claims.jti, exp: claims.exp });
  const ref = bound.refs?.[0] ?? job.event;
  const name = `${job.repository} ${ref}`.slice(0, 120);
  await tellEvent(
    table.dynamo,
    { organizationId, author: { kind: 'api_key', id: publisher.id, name, cause } },
    { kind: 'signed_in' },
  );
  const granted: Claims = { kind: 'api_key', sub: publisher.id, org: organizationId, name, scopes: [SCOPE], bound };
  return { claims: granted, scope: SCOPE, seconds: SECONDS };
}

type Host = { kind: CodeHost; baseUrl: string | null };
const MAX_CONNECTIONS = 100;

/** The host whose issuer a token names: a public one, or one that the organization connected. @throws invalid_grant */
async function hostWith(table: Table, issuer: string): Promise<Host> {
  const isIssuer = (host: Host) => issuerOf(host) === issuer;
  const open = CODE_HOSTS.map((kind) => ({ kind, baseUrl: null })).find(isIssuer);
  if (open) return open;
  const { data } = await table.list(integrations, { paginateFrom: 0, paginateSize: MAX_CONNECTIONS });
  const own = data.find((one) => one.enabled && isIssuer(one));
  if (own) return { kind: own.kind, baseUrl: own.baseUrl };
  throw new ApiError(
    'invalid_grant',
    'The organization trusts no issuer of this name: connect the code host (POST /api/v1/integrations), or check organization_id.',
  );
}

type Sent = { issuer: string; host: Host; job: Job };

/** The publisher that admits a job, and what the job may do. @throws invalid_grant */
async function admitted({ table, cause }: { table: Table; cause: Cause }, { issuer, host, job }: Sent) {
  const where = { repository: publisherKey(issuer, job.repository) };
  const { data } = await table.list(trustedPublishers, {
    paginateFrom: 0,
    paginateSize: MAX_CONNECTIONS,
    where,
    consistent: true,
  });
  const refusals: string[] = [];
  for (const publisher of data) {
    if (publisher.revokedAt !== null || !(await stands(table, publisher))) continue;
    const said = isPinned(publisher, job) ? boundsOf(publisher, job, `${addressOf(host)}/${job.repository}`) : OTHER;
    if ('bound' in said) return { publisher: await pinned(table, publisher, job), bound: said.bound };
    refusals.push(said.refused);
    const author = { kind: 'api_key' as const, id: publisher.id, name: `CI of ${publisher.repository}`, cause };
    await tellRefusedSignIn(table.dynamo, { organizationId: table.organizationId, author }, said.refused);
  }
  throw new ApiError(
    'invalid_grant',
    refusals[0] ??
      `The organization does not trust the repository ${job.repository}: an administrator adds it (POST /api/v1/organization/trusted-publishers).`,
  );
}

const stands = async ({ dynamo, organizationId }: Table, { id }: TrustedPublisher): Promise<boolean> =>
  (await readCredential(dynamo, { organizationId, id })) !== undefined;

const OTHER = {
  refused: 'Another repository has this name now: the id of the repository is not the trusted one (repositoryId).',
};

const isPinned = ({ repositoryId }: TrustedPublisher, job: Job): boolean =>
  repositoryId === null || repositoryId === job.repositoryId;

/** The publisher with the id of the repository whose job came first. @throws invalid_grant where that was another repository */
const pinned = (table: Table, { id }: TrustedPublisher, job: Job): Promise<TrustedPublisher> =>
  retry(() =>
    table.modify(trustedPublishers, id, (current) => {
      if (!isPinned(current, job)) throw new ApiError('invalid_grant', OTHER.refused);
      return current.repositoryId === null ? { repositoryId: job.repositoryId } : undefined;
    }),
  );

/** A token that a log shows opens nothing any more. @throws invalid_grant */
async function useUp(
  { dynamo }: Table,
  { issuer, jti, exp }: { issuer: string; jti: string; exp: number },
): Promise<void> {
  const id = createHash('sha256')
    .update(JSON.stringify([issuer, jti]))
    .digest('base64url');
  const expiresAt = new Date((exp + LATE_SECONDS) * 1000).toISOString();
  if (await useOnce(dynamo, { id, by: newId(), expiresAt })) return;
  throw new ApiError('invalid_grant', 'The identity token was used already: ask for a new one for each exchange.');
}
