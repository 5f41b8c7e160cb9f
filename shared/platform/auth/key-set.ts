import { now, nowMs } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import { defineRow } from '../table/io/row.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';
import { openTable } from '../table/table.ts';

/** A public key that verifies access tokens of the deployment (RFC 8037: an Ed25519 public key is `x`). */
export type PublicKey = {
  kid: string;
  x: string;
  createdAt: string;
  /** Set when the key was replaced: the last token that it signed has expired by then. */
  until?: string;
};
export type KeySet = { name: 'access-tokens'; revision: number; keys: PublicKey[] };

/** Its key scope is global: all organizations share the keys. */
export const keySets = defineRow<KeySet, Pick<KeySet, 'name'>>({
  name: 'key-set',
  about: 'the public keys of access tokens; global key scope',
  key: ({ name }) => [name],
});

export async function readKeySet(dynamo: Dynamo): Promise<KeySet> {
  const rows = openTable(dynamo, GLOBAL_SCOPE).rows(keySets);
  return (await rows.find({ name: 'access-tokens' }, true)) ?? { name: 'access-tokens', revision: 0, keys: [] };
}

const KEEP_MS = 5 * 60_000;
const REREAD_MS = 60_000;

type CachedKeySet = { keys: Promise<PublicKey[]>; readAt: number; rereadAt: number };
const caches = new WeakMap<Dynamo, CachedKeySet>();

/** The keys that verify tokens now, at most five minutes old. */
export async function publicKeys(dynamo: Dynamo): Promise<PublicKey[]> {
  const keys = await currentKeySet(dynamo).keys;
  return keys.filter(verifies);
}

/** Reads the set again for an unknown id, at most once a minute: invented ids cost no more reads. */
export async function findPublicKey(dynamo: Dynamo, kid: string): Promise<PublicKey | undefined> {
  const kept = currentKeySet(dynamo);
  const found = await pickKey(kept, kid);
  if (found || nowMs() - kept.rereadAt < REREAD_MS) return found;
  return pickKey(readIntoCache(dynamo, nowMs()), kid);
}

/** Makes the next call read the set again, for the process that changed it. */
export const forgetKeySet = (dynamo: Dynamo): void => void caches.delete(dynamo);

const verifies = ({ until }: PublicKey): boolean => until === undefined || until > now();

const pickKey = async ({ keys }: CachedKeySet, kid: string): Promise<PublicKey | undefined> =>
  (await keys).find((key) => key.kid === kid && verifies(key));

function currentKeySet(dynamo: Dynamo): CachedKeySet {
  const kept = caches.get(dynamo);
  return kept && nowMs() - kept.readAt < KEEP_MS ? kept : readIntoCache(dynamo, kept?.rereadAt);
}

function readIntoCache(dynamo: Dynamo, rereadAt = Number.NEGATIVE_INFINITY): CachedKeySet {
  const keys = readKeySet(dynamo).then((set) => set.keys);
  const kept = { keys, readAt: nowMs(), rereadAt };
  caches.set(dynamo, kept);
  keys.catch(() => caches.delete(dynamo));
  return kept;
}
