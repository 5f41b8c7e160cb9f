import type { Connections } from '../runtime/connections.ts';
import { ApiError } from '../runtime/errors.ts';
import type { Cause } from '../table/actor.ts';
import { type Claims, verifyAccessToken } from './access-token.ts';
import { type Credential, findCredential, isExpired, noteUse, opens } from './credential.ts';
import { actorBehind, reasonOf, tellRefusedSignIn } from './events.ts';
import { type Caller, isStaffRole } from './permissions.ts';
import { withGrants } from './role-grants.ts';
import { type CredentialId, parseClientId, parseClientSecret, parseKey } from './token-format.ts';

const refused = (message: string): ApiError => new ApiError('unauthorized', message);

/**
 * Reads the caller from `Authorization: Bearer` with an API key or an access token (RFC 6750). Each refusal says what
 * to send instead, and never which credentials exist. The audit log records refusals of existing credentials.
 * @param takesSecrets a service account may send its client id and secret, joined by a point, as a token that does not expire
 * @throws unauthorized
 */
export async function authenticate(
  connections: Connections,
  authorization: string | undefined,
  { cause, takesSecrets = false }: { cause?: Cause; takesSecrets?: boolean } = {},
): Promise<Caller> {
  if (!authorization)
    throw refused('Send a credential: the header Authorization: Bearer with an API key or an access token.');
  const [, token] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
  if (!token) throw refused('The Authorization header must be Bearer, a space, and an API key or an access token.');
  if (token.startsWith('exk_')) return authenticateKey(connections, token, cause);
  if (takesSecrets && token.startsWith('exc_')) return authenticateAccount(connections, token, cause);
  if (token.startsWith('exl_'))
    throw refused('A link token only links a machine: send it in the body of a link request.');
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return authenticateToken(connections, token, cause);
  throw refused('The credential is neither an API key (exk_...) nor an access token of this service.');
}

const CLOSED_KEY = 'The API key is unknown, revoked or expired. Ask an administrator for a new one.';

async function authenticateKey({ dynamo }: Connections, text: string, cause?: Cause): Promise<Caller> {
  const key = parseKey('exk', text);
  if (!key) throw refused('The API key is damaged: copy all of it again.');
  const { organizationId, id } = key;
  const {
    name,
    scopes = [],
    bound,
  } = await openCredential(dynamo, key, { kind: 'api_key', closed: CLOSED_KEY, cause });
  return { id, organizationId, name, kind: 'api_key', scopes, ...(bound && { bound }) };
}

const CLOSED_ACCOUNT = 'The service account is unknown, revoked or expired, or its secret is. Make a new secret.';

async function authenticateAccount(connections: Connections, text: string, cause?: Cause): Promise<Caller> {
  const [clientId = '', clientSecret = '', ...more] = text.split('.');
  const [where, secret] = [parseClientId(clientId), parseClientSecret(clientSecret)];
  if (!where || secret === undefined || more.length > 0)
    throw refused('Send the client id, a point, and the client secret of a service account, whole.');
  const opening = { kind: 'service_account', closed: CLOSED_ACCOUNT, cause } as const;
  const { name, role, part } = await openCredential(connections.dynamo, { ...where, secret }, opening);
  if (!role) throw refused(CLOSED_ACCOUNT);
  return withRole(connections, { ...where, name, kind: 'service_account', role, part });
}

/** The credential that a secret opens, with its use noted. @throws unauthorized */
async function openCredential(
  dynamo: Connections['dynamo'],
  key: CredentialId & { secret: string },
  { kind, closed, cause }: { kind: Credential['kind']; closed: string; cause: Cause | undefined },
): Promise<Credential> {
  const credential = await findCredential(dynamo, key);
  if (credential?.kind !== kind) throw refused(closed);
  if (!opens(credential, key.secret)) {
    const author = { ...actorBehind(credential), cause };
    await tellRefusedSignIn(dynamo, { organizationId: key.organizationId, author }, reasonOf(credential));
    throw refused(closed);
  }
  await noteUse(dynamo, key, credential);
  return credential;
}

async function authenticateToken(connections: Connections, token: string, cause?: Cause): Promise<Caller> {
  const claims = await verifyAccessToken(connections, token);
  if (!claims)
    throw refused('The access token is invalid here or has expired. Get a new access token: POST /api/v1/oauth/token.');
  const support = 'support' in claims ? claims.support : undefined;
  const where = { organizationId: support?.home ?? claims.org, id: claims.sub };
  const [credential, grant] = await Promise.all([
    findCredential(connections.dynamo, where),
    support && findCredential(connections.dynamo, { organizationId: claims.org, id: support.grant }),
  ]);
  const refuse = async (reason: string): Promise<never> => {
    const author = { ...actorBehind({ ...claims, id: claims.sub }), cause };
    await tellRefusedSignIn(connections.dynamo, { organizationId: claims.org, author }, reason);
    throw refused(reason);
  };
  if (credential?.kind !== claims.kind || isExpired(credential))
    return refuse('The credential behind this access token was revoked or has expired.');
  if ((claims.generation ?? 0) < (credential.generation ?? 0))
    return refuse('This access token has ended. Get a new access token: POST /api/v1/oauth/token.');
  if (claims.kind === 'user' && credential.ended?.some(({ id }) => id === claims.session))
    return refuse('This session has ended. Sign in again.');
  const isGranted =
    grant?.kind === 'support_grant' && !isExpired(grant) && credential.role && isStaffRole(credential.role);
  if (support && !isGranted)
    return refuse('The support grant behind this access token was revoked or has expired, or you left the staff.');
  await noteUse(connections.dynamo, where, credential);
  return withRole(connections, callerOf(claims, credential));
}

const withRole = async ({ dynamo }: Connections, caller: Caller): Promise<Caller> =>
  'role' in caller ? withGrants(dynamo, caller.organizationId, caller) : caller;

function callerOf({ sub: id, org: organizationId, generation, ...claims }: Claims, credential: Credential): Caller {
  const { disabled, role, name, part, bound } = credential;
  if (claims.kind === 'user' && !claims.support)
    return { id, organizationId, ...claims, name, role: role ?? claims.role, part };
  if (claims.kind === 'service_account' && part) return { id, organizationId, ...claims, part };
  if (claims.kind === 'api_key' && bound) return { id, organizationId, bound, ...claims };
  const ofMachine = claims.kind === 'machine' && { ...(disabled && { disabled }), ...(generation && { generation }) };
  return { id, organizationId, ...claims, ...ofMachine };
}
