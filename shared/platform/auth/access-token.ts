import * as z from 'zod';
import { nowMs } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import { findPublicKey, type PublicKey } from './key-set.ts';
import { MACHINE_KINDS, ROLES, SCOPES, type Scope } from './permissions.ts';

/** An access token is valid for an hour. */
export const TOKEN_SECONDS = 3600;
export const ALGORITHM = 'EdDSA';

const scopeNames = Object.keys(SCOPES) as Scope[];
const support = z.object({ grant: z.uuid(), home: z.uuid() }).optional();
const common = { sub: z.uuid(), org: z.uuid(), name: z.string(), generation: z.int().optional() };

const names = z.array(z.string());
const BoundClaim = z.object({
  repositories: names,
  refs: names.optional(),
  bases: names.optional(),
  endsBranches: z.literal(true).optional(),
});

/** A built-in role, or the id of a custom one. */
const RoleName = z.union([z.enum(ROLES), z.uuid()]);

/**
 * The claims of an access token. RFC 9068 defines the registered ones; `org`, `kind` and the others are ours. `support`: the
 * holder is of the provider's staff, has the credential in the organization `home`, and acts in `org` by a grant of it.
 */
export const Claims = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('service_account'), role: RoleName, support }),
  z.object({ ...common, kind: z.literal('user'), role: RoleName, session: z.uuid(), support }),
  z.object({
    ...common,
    kind: z.literal('api_key'),
    scopes: z.array(z.enum(scopeNames)),
    bound: BoundClaim.optional(),
  }),
  z.object({ ...common, kind: z.literal('machine'), machine: z.enum(MACHINE_KINDS) }),
]);
export type Claims = z.infer<typeof Claims>;

/** The tokens that a key has verified, and when they expire (milliseconds since 1970): a caller sends a token for an hour. */
const verified = new WeakMap<PublicKey, Map<string, Proven>>();
type Proven = { claims: Claims; expiresMs: number };
const MAX_VERIFIED = 1_000;

/**
 * The claims of a token that this deployment signed for itself and that has not expired. They are kept as long as the
 * key that verified them. @returns undefined for any other token
 */
export async function verifyAccessToken({ dynamo, settings }: Connections, token: string): Promise<Claims | undefined> {
  const kid = kidIn(token);
  const key = kid === undefined ? undefined : await findPublicKey(dynamo, kid);
  if (!key) return undefined;
  const known = verified.get(key) ?? new Map<string, Proven>();
  verified.set(key, known);
  const name = `${settings.TOKEN_ISSUER} ${token}`;
  const kept = known.get(name);
  if (kept) return kept.expiresMs > nowMs() ? kept.claims : undefined;
  const proven = await proveToken(token, key, settings.TOKEN_ISSUER);
  if (!proven) return undefined;
  if (known.size >= MAX_VERIFIED) known.clear();
  known.set(name, proven);
  return proven.claims;
}

/** The id of the key that a token names; undefined for any other text. */
function kidIn(token: string): string | undefined {
  try {
    const { kid }: { kid?: unknown } = Object(
      JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString()),
    );
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

async function proveToken(token: string, { x }: PublicKey, issuer: string): Promise<Proven | undefined> {
  const { provenPayload } = await import('./proof.ts');
  const payload = await provenPayload(token, { x, algorithm: ALGORITHM, issuer, at: new Date(nowMs()) });
  const claims = payload && Claims.safeParse(payload).data;
  return claims && { claims, expiresMs: Number(payload.exp) * 1000 };
}
