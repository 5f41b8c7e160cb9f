import { SignJWT } from 'jose/jwt/sign';
import { importJWK } from 'jose/key/import';
import * as z from 'zod';
import { epochSeconds, now } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import { newId } from '../runtime/ids.ts';
import { ALGORITHM, type Claims, TOKEN_SECONDS } from './access-token.ts';

/** The private keys in the secret. The newest key whose `from` has passed signs. */
export const SigningKeys = z.object({
  keys: z.array(z.object({ kid: z.string(), x: z.string(), d: z.string(), from: z.string() })).min(1),
});
export type SigningKeys = z.infer<typeof SigningKeys>;
export type SigningKey = SigningKeys['keys'][number];

/** Only the token function imports this file and may read the secret. */
export async function signAccessToken(
  connections: Connections,
  claims: Claims,
  seconds = TOKEN_SECONDS,
): Promise<string> {
  const { kid, x, d } = await signingKey(connections);
  const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x, d }, ALGORITHM);
  const issuedAt = epochSeconds(now());
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid })
    .setIssuer(connections.settings.TOKEN_ISSUER)
    .setAudience(connections.settings.TOKEN_ISSUER)
    .setJti(newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(key);
}

async function signingKey({ secrets, settings }: Connections): Promise<SigningKey> {
  const { keys } = SigningKeys.parse(JSON.parse(await secrets.get(settings.SIGNING_SECRET)));
  // The first key of a deployment signs even if the clock of the machine that made it was ahead.
  const key = keys.findLast(({ from }) => from <= now()) ?? keys[0];
  if (!key) throw new Error('the secret holds no signing key');
  return key;
}
