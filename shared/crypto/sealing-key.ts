import { randomBytes } from 'node:crypto';
import { inSeconds, now } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import { newId, shortId } from '../runtime/ids.ts';
import { isUnsetSecret } from '../runtime/secrets.ts';
import { type SealingKey, SealingKeys } from './seal.ts';

type KeyConnections = Pick<Connections, 'secrets' | 'settings'>;

/** A new key seals only once every function can open with it: they keep the secret for five minutes. */
const LEAD_SECONDS = 600;
const KEY_BYTES = 32;

/** The first key of a deployment; nothing to do where there is one. */
export async function ensureSealingKey(connections: KeyConnections): Promise<void> {
  if ((await standingKeys(connections)).length === 0) await rotateSealingKey(connections);
}

/**
 * A new key seals from ten minutes on. The earlier ones stay, since what they sealed opens with nothing else: a key
 * is taken out of the secret by hand, once everything that it sealed has expired or was stored anew.
 * @returns the id of the new key
 */
export async function rotateSealingKey(connections: KeyConnections): Promise<string> {
  const standing = await standingKeys(connections);
  const from = standing.length === 0 ? now() : inSeconds(LEAD_SECONDS);
  const key = { kid: shortId(newId()), key: randomBytes(KEY_BYTES).toString('base64url'), from };
  await connections.secrets.put(connections.settings.SEALING_SECRET, JSON.stringify({ keys: [...standing, key] }));
  return key.kid;
}

/**
 * A secret that was never set holds none. One that holds something else is left alone: writing over it could lose the
 * only key to what it sealed.
 */
async function standingKeys({ secrets, settings }: KeyConnections): Promise<SealingKey[]> {
  try {
    return SealingKeys.parse(JSON.parse(await secrets.get(settings.SEALING_SECRET))).keys;
  } catch (error) {
    if (isUnsetSecret(error)) return [];
    throw error;
  }
}
