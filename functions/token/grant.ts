import type { Claims } from '#shared/auth/access-token.ts';
import { ApiError } from '#shared/runtime/errors.ts';
import type { Client } from './client.ts';

/** @throws unsupported_grant_type, invalid_request */
export function assertGrantType(grantType: string | undefined): void {
  if (grantType === 'client_credentials') return;
  if (grantType === undefined) throw new ApiError('invalid_request', 'Send grant_type; client_credentials is offered.');
  if (grantType === 'urn:ietf:params:oauth:grant-type:token-exchange')
    throw new ApiError('unsupported_grant_type', 'Token exchange needs an identity provider and none is configured.');
  throw new ApiError('unsupported_grant_type', 'This grant_type is not offered; use client_credentials.');
}

/**
 * What the token will say, and its scope as OAuth shows it. Only an API key has scopes that a token can narrow.
 * @throws invalid_scope for more than the client has
 */
export function grant({ organizationId, id, credential }: Client, requested = ''): { claims: Claims; scope: string } {
  const wanted = [...new Set(requested.split(' ').filter(Boolean))];
  const { kind, name, role, scopes = [], machine } = credential;
  const common = { sub: id, org: organizationId, name };
  if (kind === 'api_key') {
    const granted = wanted.length === 0 ? [...scopes] : scopes.filter((scope) => wanted.includes(scope));
    if (granted.length < wanted.length) throw tooMuch(scopes.join(' '));
    return { claims: { ...common, kind, scopes: granted }, scope: granted.join(' ') };
  }
  const scope = role ? `role:${role}` : `machine:${machine}`;
  if (wanted.some((name) => name !== scope)) throw tooMuch(scope);
  if (kind === 'service_account' && role) return { claims: { ...common, kind, role }, scope };
  if (kind === 'machine' && machine) return { claims: { ...common, kind, machine }, scope };
  throw new Error(`the credential ${id} of kind ${kind} names neither role nor machine`);
}

const tooMuch = (has: string): ApiError =>
  new ApiError('invalid_scope', `The client cannot get more than it has: ${has}. Leave scope out to get all of it.`);
