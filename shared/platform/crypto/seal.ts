import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { now } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';

/**
 * The sealing keys of the deployment, as the secret stores them. The newest key whose `from` has passed seals new
 * values.
 */
export const SealingKeys = z.object({
  keys: z.array(z.object({ kid: z.string().min(1).max(64), key: z.string(), from: z.string() })).min(1),
});
export type SealingKey = z.infer<typeof SealingKeys>['keys'][number];

/** The owner of a sealed value. The value opens only with the same three parts, so a copied row opens nowhere else. */
type SealContext = { organizationId: string; purpose: string; id: string };

type SealConnections = Pick<Connections, 'secrets' | 'settings'>;

const FORMAT = 1;
const SALT_BYTES = 32;
/** NIST SP 800-38D: 96 bits for the nonce, 128 for the tag. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed value does not open: it was changed, belongs to another context, or its key is gone. */
export class SealBroken extends Error {}

/**
 * Encrypts with AES-256-GCM under a key of its own, derived (HKDF, RFC 5869) from the deployment's key, a random salt,
 * the organization and the purpose. The answer is `format | kid length | kid | salt | nonce | ciphertext | tag`.
 */
export async function seal(connections: SealConnections, context: SealContext, bytes: Uint8Array): Promise<Uint8Array> {
  const keys = await readSealingKeys(connections);
  const sealing = keys.findLast(({ from }) => from <= now()) ?? keys[0];
  if (!sealing) throw new Error('the secret holds no sealing key');
  const kid = Buffer.from(sealing.kid, 'utf8');
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const head = Buffer.concat([Buffer.from([FORMAT, kid.length]), kid]);
  const cipher = createCipheriv('aes-256-gcm', dataKey(sealing, salt, context), nonce);
  cipher.setAAD(bound(head, context));
  const text = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([head, salt, nonce, text, cipher.getAuthTag()]);
}

/** @throws SealBroken unless `seal` made the value for the same context */
export async function open(
  connections: SealConnections,
  context: SealContext,
  sealed: Uint8Array,
): Promise<Uint8Array> {
  const { head, kid, salt, nonce, text, tag } = split(Buffer.from(sealed));
  const key = (await readSealingKeys(connections)).find((known) => known.kid === kid);
  if (!key) throw new SealBroken(`sealed by the key ${kid}, which the deployment no longer has`);
  const decipher = createDecipheriv('aes-256-gcm', dataKey(key, salt, context), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(bound(head, context));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]);
  } catch (cause) {
    throw new SealBroken('changed, or sealed for something else', { cause });
  }
}

const SHORTEST = 2 + SALT_BYTES + NONCE_BYTES + TAG_BYTES;

function split(sealed: Buffer) {
  const kidEnd = 2 + (sealed[1] ?? 0);
  if (sealed[0] !== FORMAT || sealed.length < SHORTEST + (sealed[1] ?? 0)) throw new SealBroken('not a sealed value');
  const saltEnd = kidEnd + SALT_BYTES;
  const nonceEnd = saltEnd + NONCE_BYTES;
  return {
    head: sealed.subarray(0, kidEnd),
    kid: sealed.toString('utf8', 2, kidEnd),
    salt: sealed.subarray(kidEnd, saltEnd),
    nonce: sealed.subarray(saltEnd, nonceEnd),
    text: sealed.subarray(nonceEnd, -TAG_BYTES),
    tag: sealed.subarray(-TAG_BYTES),
  };
}

function dataKey({ key }: SealingKey, salt: Buffer, { organizationId, purpose }: SealContext): Buffer {
  const info = JSON.stringify(['seal', FORMAT, organizationId, purpose]);
  return Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64url'), salt, info, 32));
}

/** Data that the tag protects beside the text: format, key id and all three parts of the context. */
const bound = (head: Buffer, { organizationId, purpose, id }: SealContext): Buffer =>
  Buffer.concat([head, Buffer.from(JSON.stringify([organizationId, purpose, id]), 'utf8')]);

async function readSealingKeys({ secrets, settings }: SealConnections): Promise<SealingKey[]> {
  return SealingKeys.parse(JSON.parse(await secrets.get(settings.SEALING_SECRET))).keys;
}
