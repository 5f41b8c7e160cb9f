import { type Credential, opens, readCredential } from '#shared/platform/auth/credential.ts';
import { actorBehind, reasonOf, tellEvent, tellRefusedSignIn } from '#shared/platform/auth/events.ts';
import { type CredentialId, parseClientId, parseClientSecret, parseKey } from '#shared/platform/auth/token-format.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { isId } from '#shared/platform/runtime/ids.ts';
import type { Cause } from '#shared/platform/table/actor.ts';
import type { OAuthTokenRequest } from './routes.ts';

export type Client = CredentialId & { credential: Credential };
type Pair = { clientId: string; clientSecret: string };

type TokenCall = {
  connections: Pick<Connections, 'dynamo'>;
  cause: Cause;
  body: OAuthTokenRequest;
  request: { headers: Record<string, string | undefined> };
};

/**
 * The client of a token request. Reads the credential each time, so that a rotated secret works at once. The audit log
 * records sign-ins and attempts with a wrong or expired secret; for an unknown client there is no organization whose
 * log could record it.
 * @throws invalid_client, invalid_request
 */
export async function authenticateClient({ connections, cause, body, request }: TokenCall): Promise<Client> {
  const { dynamo } = connections;
  const authorization = request.headers.authorization;
  const where = locate(presented(body, authorization));
  const credential = where && (await readCredential(dynamo, where));
  if (!where || !credential || credential.kind === 'link_token') throw unknownClient();
  const { organizationId, id } = where;
  const who = { organizationId, author: { ...actorBehind(credential), cause } };
  if (!opens(credential, where.secret)) {
    await tellRefusedSignIn(dynamo, who, reasonOf(credential));
    throw unknownClient();
  }
  await tellEvent(dynamo, who, { kind: 'signed_in' });
  return { organizationId, id, credential };
}

const unknownClient = (): ApiError =>
  new ApiError('invalid_client', 'The client is unknown, revoked or expired, or its secret is wrong.');

function presented({ client_id, client_secret }: OAuthTokenRequest, authorization: string | undefined): Pair {
  const basic = readBasic(authorization);
  if (basic && client_secret !== undefined)
    throw new ApiError('invalid_request', 'Send the client secret by HTTP Basic or in the body, not both.');
  const pair = basic ?? { clientId: client_id ?? '', clientSecret: client_secret ?? '' };
  if (pair.clientId === '' || pair.clientSecret === '')
    throw new ApiError('invalid_request', 'Send client_id and client_secret, in the body or by HTTP Basic.');
  return pair;
}

/** RFC 6749, section 2.3.1: both parts are form encoded before they are joined. */
function readBasic(authorization: string | undefined): Pair | undefined {
  const [, encoded] = /^Basic +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [, id, secret] = /^([^:]*):(.*)$/.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined)
    throw new ApiError('invalid_request', 'HTTP Basic must be the base64 of client_id:client_secret.');
  return { clientId: formDecoded(id), clientSecret: formDecoded(secret) };
}

/** Our own ids and secrets need no decoding. A broken escape stays unchanged and opens nothing. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Finds the credential. An API key may be sent whole as the secret, with the `id` of its record as the client id. */
function locate({ clientId, clientSecret }: Pair): (CredentialId & { secret: string }) | undefined {
  const key = parseKey('exk', clientSecret);
  const where = parseClientId(clientId);
  if (key) return [where?.id, isId(clientId) ? clientId : undefined].includes(key.id) ? key : undefined;
  const secret = parseClientSecret(clientSecret);
  return where && secret !== undefined ? { ...where, secret } : undefined;
}
