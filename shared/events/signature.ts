import { createHmac } from 'node:crypto';

type Signed = { id: string; timestamp: string; body: string };

/**
 * The headers of a request by Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): while
 * a secret is replaced, one signature by each that works.
 * @param secrets `whsec_` and the key in Base64
 */
export function signedHeaders(secrets: readonly string[], { id, timestamp, body }: Signed): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
