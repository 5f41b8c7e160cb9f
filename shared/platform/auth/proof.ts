import { JOSEError } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import { importJWK } from 'jose/key/import';

type Expected = { x: string; algorithm: string; issuer: string; at: Date };

/**
 * The payload of a token that the key of an issuer signed and that has not expired; undefined for any other text. `alg`, `iss` and `aud` are
 * pinned (RFC 8725). The file is beside the bundles of the areas: those that only see API keys do not load jose.
 */
export async function provenPayload(
  token: string,
  { x, algorithm, issuer, at }: Expected,
): Promise<Record<string, unknown> | undefined> {
  const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, algorithm);
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer,
      audience: issuer,
      typ: 'at+jwt',
      requiredClaims: ['exp', 'iat', 'sub'],
      currentDate: at,
    });
    return payload;
  } catch (error) {
    if (error instanceof JOSEError) return undefined;
    throw error;
  }
}
