import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

/** Begins the text of a private key. */
const PRIVATE = 'whsk_';

type Signed = { id: string; timestamp: string; body: string };

/**
 * The headers of a request by Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): while
 * a secret is replaced, one signature (`v1`) by each that works, and one (`v1a`) that receivers verify by a public key.
 * @param keys `whsec_` and a secret, or `whsk_` and an Ed25519 key in PKCS 8, each in Base64
 */
export function signedHeaders(keys: readonly string[], { id, timestamp, body }: Signed): Record<string, string> {
  const signed = Buffer.from(`${id}.${timestamp}.${body}`);
  const signatures = keys.map((text) => {
    if (!text.startsWith(PRIVATE)) {
      const secret = Buffer.from(text.replace(/^whsec_/, ''), 'base64');
      return `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
    }
    const key = Buffer.from(text.slice(PRIVATE.length), 'base64');
    return `v1a,${sign(null, signed, createPrivateKey({ key, format: 'der', type: 'pkcs8' })).toString('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** A pair of keys for signatures `v1a`. The private key never leaves the service, so that a leak at a receiver does not concern it. */
export function newSigningKeys(): { signing: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    signing: `${PRIVATE}${privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')}`,
    publicKey: `whpk_${Buffer.from(x, 'base64url').toString('base64')}`,
  };
}
