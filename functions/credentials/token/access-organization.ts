import { organizations } from '#shared/credentials/organization.ts';
import { ANYBODY, SUPPORT_ROLES, type SupportGrant, supportGrants } from '#shared/credentials/support-grant.ts';
import { TOKEN_SECONDS } from '#shared/platform/auth/access-token.ts';
import { actorOf } from '#shared/platform/auth/actor.ts';
import { findCredential } from '#shared/platform/auth/credential.ts';
import { tellEvent } from '#shared/platform/auth/events.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { signAccessToken } from '#shared/platform/auth/signing.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import type { tokenRoutes } from './routes.ts';

const rank = (role: SupportGrant['role']): number => SUPPORT_ROLES.indexOf(role);

/** Exchanges a current grant of an organization for an access token in it. @throws not_found, insufficient_scope without a grant */
export async function accessOrganization(call: Call<typeof tokenRoutes.accessOrganization>) {
  const { connections, table, caller, cause, params, body } = call;
  const { id } = await inOrganization(table, GLOBAL_SCOPE).get(organizations, params.id);
  const theirs = inOrganization(table, id);
  const grant = await currentGrant(theirs, caller, body.grantId);
  const { role = grant.role } = body;
  if (rank(role) > rank(grant.role)) throw invalid('role', `must be at most ${grant.role}, the role of the grant`);
  const name = `${caller.name} (provider staff)`;
  const accessToken = await signAccessToken(connections, {
    ...(await credentialOf(table, caller)),
    org: id,
    name,
    role,
    support: { grant: grant.id, home: caller.organizationId },
  });
  await tellEvent(
    table.dynamo,
    { organizationId: id, author: { ...actorOf(caller), name, cause } },
    { kind: 'signed_in' },
  );
  const expiresAt = [inSeconds(TOKEN_SECONDS), grant.expiresAt].toSorted()[0] ?? grant.expiresAt;
  return { accessToken, expiresAt, organizationId: id, grantId: grant.id, role };
}

/** The claims by which the token ends with the member's own credential. */
async function credentialOf({ dynamo, organizationId }: Table, caller: Caller) {
  const { id } = caller;
  const credential = await findCredential(dynamo, { organizationId, id });
  const common = { sub: id, generation: credential?.generation };
  if (caller.kind === 'user' && caller.session) return { ...common, kind: caller.kind, session: caller.session };
  return { ...common, kind: 'service_account' as const };
}

/** Grants that are read; a client that gives more at once has revoked none for long. */
const MAX_READ = 100;

async function currentGrant(
  theirs: Table,
  { id: staffId }: Caller,
  grantId: string | undefined,
): Promise<SupportGrant> {
  const where = { staff: [staffId, ANYBODY], revoked: 'false' };
  const query = { paginateFrom: 0, paginateSize: MAX_READ, where, consistent: true };
  const { data } = await theirs.list(supportGrants, query);
  const [highest] = data
    .filter(({ id, expiresAt }) => expiresAt > now() && (grantId === undefined || id === grantId))
    .toSorted((a, b) => rank(b.role) - rank(a.role));
  if (highest) return highest;
  throw new ApiError(
    'insufficient_scope',
    'The organization has no current grant for you. Its administrators create one: POST /api/v1/organization/support-grants.',
  );
}
