import * as z from 'zod';
import { nowMs } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import { findPublicKey } from './key-set.ts';
import { MACHINE_KINDS, ROLES, SCOPES, type Scope } from './permissions.ts';

/** An access token is valid for an hour. */
export const TOKEN_SECONDS = 3600;
export const ALGORITHM = 'EdDSA';

const scopeNames = Object.keys(SCOPES) as Scope[];
const common = { sub: z.uuid(), org: z.uuid(), name: z.string(), generation: z.int().optional() };

/** The claims of an access token. RFC 9068 defines the registered ones; `org`, `kind` and the others are ours. */
export const Claims = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('service_account'), role: z.enum(ROLES) }),
  z.object({ ...common, kind: z.literal('api_key'), scopes: z.array(z.enum(scopeNames)) }),
  z.object({ ...common, kind: z.literal('machine'), machine: z.enum(MACHINE_KINDS) }),
]);
export type Claims = z.infer<typeof Claims>;

/**
 * The claims of a token that this deployment signed for itself and that has not expired. `alg`, `iss` and `aud` are
 * pinned (RFC 8725). jose is loaded at the first token: an area that only sees API keys does not load it.
 * @returns undefined for any other token
 */
export async function verifyAccessToken({ dynamo, settings }: Connections, token: string): Promise<Claims | undefined> {
  const [{ jwtVerify }, { importJWK }, { JOSEError }] = await Promise.all([
    import('jose/jwt/verify'),
    import('jose/key/import'),
    import('jose/errors'),
  ]);
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await findPublicKey(dynamo, kid);
        if (!key) throw new JOSEError('unknown key');
        return importJWK({ kty: 'OKP', crv: 'Ed25519', x: key.x }, ALGORITHM);
      },
      {
        algorithms: [ALGORITHM],
        issuer: settings.TOKEN_ISSUER,
        audience: settings.TOKEN_ISSUER,
        typ: 'at+jwt',
        requiredClaims: ['exp', 'iat', 'sub'],
        currentDate: new Date(nowMs()),
      },
    );
    return Claims.safeParse(payload).data;
  } catch (error) {
    if (error instanceof JOSEError) return undefined;
    throw error;
  }
}
