import { type Credential, opens, readCredential } from '#shared/auth/credential.ts';
import { type CredentialId, parseClientId, parseClientSecret, parseKey } from '#shared/auth/token-format.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { ApiError } from '#shared/runtime/errors.ts';
import { isId } from '#shared/runtime/ids.ts';
import type { OAuthTokenRequest } from './routes.ts';

export type Client = CredentialId & { credential: Credential };
type Pair = { clientId: string; clientSecret: string };

/**
 * The client of a token request. Its credential is read each time, so that a rotated secret works at once.
 * @throws invalid_client, invalid_request
 */
export async function authenticateClient(
  { dynamo }: Connections,
  body: OAuthTokenRequest,
  authorization: string | undefined,
): Promise<Client> {
  const where = locate(presented(body, authorization));
  const credential = where && (await readCredential(dynamo, where));
  if (!where || !credential || credential.kind === 'link_token' || !opens(credential, where.secret))
    throw new ApiError('invalid_client', 'The client is unknown, revoked or expired, or its secret is wrong.');
  return { organizationId: where.organizationId, id: where.id, credential };
}

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
