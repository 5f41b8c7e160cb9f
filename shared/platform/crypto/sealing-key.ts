import { randomBytes } from 'node:crypto';
import { inSeconds, now } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import { newId, shortId } from '../runtime/ids.ts';
import { isUnsetSecret } from '../runtime/secrets.ts';
import { type SealingKey, SealingKeys } from './seal.ts';

type KeyConnections = Pick<Connections, 'secrets' | 'settings'>;

/** A new key seals only after every function has read it; functions remember the secret for five minutes. */
const LEAD_SECONDS = 600;
const KEY_BYTES = 32;

/** Makes the first key of a deployment, if there is none. */
export async function ensureSealingKey(connections: KeyConnections): Promise<void> {
  if ((await currentKeys(connections)).length === 0) await rotateSealingKey(connections);
}

/**
 * Adds a key that seals in ten minutes. Earlier keys stay, because the values that they sealed open with no other key.
 * An operator removes a key from the secret once all of its values have expired or were sealed again.
 * @returns the id of the new key
 */
export async function rotateSealingKey(connections: KeyConnections): Promise<string> {
  const current = await currentKeys(connections);
  const from = current.length === 0 ? now() : inSeconds(LEAD_SECONDS);
  const key = { kid: shortId(newId()), key: randomBytes(KEY_BYTES).toString('base64url'), from };
  await connections.secrets.put(connections.settings.SEALING_SECRET, JSON.stringify({ keys: [...current, key] }));
  return key.kid;
}

/**
 * A secret that was never set holds no keys. A secret with other content is not overwritten, which could lose the only
 * key of sealed values.
 */
async function currentKeys({ secrets, settings }: KeyConnections): Promise<SealingKey[]> {
  try {
    return SealingKeys.parse(JSON.parse(await secrets.get(settings.SEALING_SECRET))).keys;
  } catch (error) {
    if (isUnsetSecret(error)) return [];
    throw error;
  }
}
