import { verify } from '@octokit/webhooks-methods';

/** Whether a header such as `sha256=…` signs a body with a secret (HMAC, W3C WebSub, "Authenticated Content Distribution"). */
export async function isSignedBy(secret: string, signature: string, bytes: Uint8Array): Promise<boolean> {
  // the library takes the payload as a text, and refuses what is no signature
  const isWhole = /^sha256=[\da-f]{64}$/.test(signature) && bytes.length > 0;
  return isWhole && verify(secret, Buffer.from(bytes).toString('utf8'), signature);
}
