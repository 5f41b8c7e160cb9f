import { generateKeyPairSync } from 'node:crypto';
import { inSeconds, now } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import { ApiError } from '../runtime/errors.ts';
import { newId, shortId } from '../runtime/ids.ts';
import { orOvertaken, retry } from '../runtime/retry.ts';
import { isUnsetSecret } from '../runtime/secrets.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';
import { openTable } from '../table/table.ts';
import { TOKEN_SECONDS } from './access-token.ts';
import { forgetKeySet, type KeySet, keySets, type PublicKey, readKeySet } from './key-set.ts';
import { type SigningKey, SigningKeys } from './signing.ts';

type KeyConnections = Pick<Connections, 'dynamo' | 'secrets' | 'settings'>;

/** A new key signs only after every function has read its public half; functions cache the key set for five minutes. */
const LEAD_SECONDS = 600;
/** The token function caches the secret for five minutes; five more allow for clocks that differ. */
const SLACK_SECONDS = 600;
/** A rotation takes seconds; a second rotation during that time would end the key of the first. */
const ALONE_SECONDS = 60;

/**
 * Replaces the key that signs access tokens. The old public key stays until its last token has expired, so no client
 * notices. After a leak (`compromised`) the tokens of the old key are refused within five minutes. The rotation may be
 * repeated after a failure at any point: after each step tokens are signed and verified.
 * @returns the id of the new key
 */
export async function rotateSigningKey(
  connections: KeyConnections,
  { compromised = false }: { compromised?: boolean } = {},
): Promise<string> {
  const current = compromised ? [] : await readSigningKeys(connections);
  const key = newSigningKey(current.length === 0 ? now() : inSeconds(LEAD_SECONDS));
  await changeKeySet(connections, (keys) => {
    if (!compromised) assertAlone(keys);
    return [...keys, { kid: key.kid, x: key.x, createdAt: now() }];
  });
  await connections.secrets.put(
    connections.settings.SIGNING_SECRET,
    JSON.stringify({ keys: [...stillNeeded(current), key] }),
  );
  const until = compromised ? now() : inSeconds(LEAD_SECONDS + TOKEN_SECONDS + SLACK_SECONDS);
  await changeKeySet(connections, (keys) => keys.flatMap((old) => (old.kid === key.kid ? old : withEnd(old, until))));
  return key.kid;
}

/** Makes the first key of a deployment, unless tokens can already be signed and verified. */
export async function ensureSigningKey(connections: KeyConnections): Promise<void> {
  const newest = (await readSigningKeys(connections)).at(-1);
  const { keys } = await readKeySet(connections.dynamo);
  if (!newest || !keys.some(({ kid }) => kid === newest.kid))
    await rotateSigningKey(connections, { compromised: true });
}

function newSigningKey(from: string): SigningKey {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  if (!x || !d) throw new Error('an Ed25519 key has x and d (RFC 8037)');
  return { kid: shortId(newId()), x, d, from };
}

/** The current signing key and the keys after it. */
function stillNeeded(keys: SigningKey[]): SigningKey[] {
  const active = keys.findLastIndex(({ from }) => from <= now());
  return keys.slice(Math.max(0, active));
}

/** The keys that sign now or soon; none while the secret was never set. */
async function readSigningKeys({ secrets, settings }: KeyConnections): Promise<SigningKey[]> {
  try {
    const text = await secrets.get(settings.SIGNING_SECRET);
    return SigningKeys.safeParse(JSON.parse(text)).data?.keys ?? [];
  } catch (error) {
    if (error instanceof SyntaxError || isUnsetSecret(error)) return [];
    throw error;
  }
}

function assertAlone(keys: PublicKey[]): void {
  if (keys.some(({ createdAt }) => createdAt > inSeconds(-ALONE_SECONDS)))
    throw new ApiError(
      'conflict',
      'A key was made less than a minute ago: another rotation may be running. Try again in a minute.',
    );
}

function withEnd(key: PublicKey, until: string): PublicKey[] {
  const end = key.until && key.until < until ? key.until : until;
  return end <= now() ? [] : [{ ...key, until: end }];
}

/** Writes on condition of the revision, so that two operators do not undo each other's change. */
async function changeKeySet({ dynamo }: KeyConnections, change: (keys: PublicKey[]) => PublicKey[]): Promise<void> {
  const rows = openTable(dynamo, GLOBAL_SCOPE).rows(keySets);
  await retry(async () => {
    const { revision, ...set } = await readKeySet(dynamo);
    const next: KeySet = { ...set, revision: revision + 1, keys: change(set.keys) };
    await orOvertaken(rows.put(next, revision === 0 ? 'absent' : { revision }));
  });
  forgetKeySet(dynamo);
}
