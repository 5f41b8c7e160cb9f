import { JOSEError } from 'jose/errors';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import * as z from 'zod';
import { guardedFetch } from '#shared/platform/outgoing/guarded-fetch.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';

type Asking = Pick<Connections, 'network' | 'settings'>;
type Keys = ReturnType<typeof createRemoteJWKSet>;

const CLOCK_SECONDS = 60;
/** An unknown key makes a process read the set of an issuer again, at most so often. */
const COOLDOWN_MS = 10_000;
const KEPT_MS = 3_600_000;
const MAX_ISSUERS = 100;
/** No key that both sides know: a token cannot be signed with a public one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];

const Configuration = z.object({ issuer: z.string(), jwks_uri: z.url() });

const known = new Map<string, { keys: Keys; untilMs: number }>();

const Named = z.object({ iss: z.string() });

/** The issuer that a token names, before anything of it is proven. @throws invalid_grant */
export function issuerIn(token: string): string {
  try {
    return Named.parse(decodeJwt(token)).iss;
  } catch {
    throw new ApiError('invalid_grant', 'The subject_token must be the identity token (a JWT) of a CI job.');
  }
}

const Proven = z.looseObject({ jti: z.string().min(1), exp: z.int() });

/**
 * The claims of a token that its issuer signed for this service and that has not expired. The keys of an issuer are kept for an hour, and read
 * again for a key that is not among them.
 * @throws invalid_grant
 */
export async function provenClaims(
  connections: Asking,
  token: string,
  issuer: string,
): Promise<z.infer<typeof Proven>> {
  const audience = connections.settings.TOKEN_ISSUER;
  try {
    const { payload } = await jwtVerify(token, await keysOf(connections, issuer), {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_SECONDS,
      currentDate: new Date(nowMs()),
      requiredClaims: ['exp', 'iat', 'jti', 'sub'],
    });
    return Proven.parse(payload);
  } catch (error) {
    if (error instanceof JOSEError) throw new ApiError('invalid_grant', refusalOf(error, audience));
    if (error instanceof HostError || error instanceof z.ZodError)
      throw new ApiError('invalid_grant', `The keys of ${issuer} cannot be read: ${error.message}`);
    throw error;
  }
}

function refusalOf({ code, message }: JOSEError, audience: string): string {
  if (code === 'ERR_JWT_EXPIRED') return 'The identity token has expired: ask for it right before the exchange.';
  if (/"aud"/.test(message))
    return `The identity token is for another service: ask for it with the audience ${audience}.`;
  return `The identity token is not valid: ${message}.`;
}

async function keysOf(connections: Asking, issuer: string): Promise<Keys> {
  const kept = known.get(issuer);
  if (kept && kept.untilMs > nowMs()) return kept.keys;
  const { fetch } = guardedFetch(connections);
  const read = (url: string) =>
    fetch(url, { method: 'GET', headers: { accept: 'application/json' }, body: undefined, redirect: 'manual' });
  const answer = await read(`${issuer}/.well-known/openid-configuration`);
  if (!answer.ok) throw new HostError('unexpected_answer', `It answers ${answer.status}.`);
  const { issuer: named, jwks_uri: address } = Configuration.parse(await answer.json().catch(() => undefined));
  if (named !== issuer) throw new HostError('unexpected_answer', `It calls itself ${named.slice(0, 200)}.`);
  const keys = createRemoteJWKSet(new URL(address), {
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: KEPT_MS,
    [customFetch]: read,
  });
  if (known.size >= MAX_ISSUERS) known.clear();
  known.set(issuer, { keys, untilMs: nowMs() + KEPT_MS });
  return keys;
}
