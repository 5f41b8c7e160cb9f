import type { Claims } from '#shared/platform/auth/access-token.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import type { Client } from './client.ts';

/** RFC 8628, section 3.4. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** RFC 8693, section 2.1. */
export const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';

const GRANT_TYPES = [
  'client_credentials',
  'authorization_code',
  'refresh_token',
  DEVICE_GRANT,
  EXCHANGE_GRANT,
] as const;
type GrantType = (typeof GRANT_TYPES)[number];

/** @throws unsupported_grant_type, invalid_request */
export function assertGrantType(grantType: string | undefined): GrantType {
  const known = GRANT_TYPES.find((one) => one === grantType);
  if (known) return known;
  if (grantType === undefined) throw new ApiError('invalid_request', `Send grant_type: ${GRANT_TYPES.join(', ')}.`);
  throw new ApiError('unsupported_grant_type', `The grant_type must be one of ${GRANT_TYPES.join(', ')}.`);
}

/**
 * The claims of the token, and its token scope in the form of OAuth. Only the API scopes of an API key can be narrowed.
 * @throws invalid_scope for more than the client has
 */
export function grant({ organizationId, id, credential }: Client, requested = ''): { claims: Claims; scope: string } {
  const wanted = [...new Set(requested.split(' ').filter(Boolean))];
  const { kind, name, role, scopes = [], machine, generation } = credential;
  const common = { sub: id, org: organizationId, name, generation };
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
  new ApiError('invalid_scope', `The scope must be within ${has}. Leave scope out to get all of it.`);
