import { now, nowMs } from '../clock.ts';
import type { Dynamo } from '../table/client.ts';
import { defineRow } from '../table/row.ts';
import { openTable } from '../table/table.ts';

/** A public key of the deployment's access tokens (RFC 8037: an Ed25519 key is `x`). */
export type PublicKey = {
  kid: string;
  x: string;
  createdAt: string /** Replaced: its tokens end before. */;
  until?: string;
};
export type KeySet = { name: 'access-tokens'; revision: number; keys: PublicKey[] };

export const keySets = defineRow<KeySet, Pick<KeySet, 'name'>>({ name: 'key-set', key: ({ name }) => [name] });

const KEEP_MS = 5 * 60_000;
const REREAD_MS = 60_000;

type Kept = { keys: Promise<PublicKey[]>; readAt: number };
const caches = new WeakMap<Dynamo, Kept>();

export async function readKeySet(dynamo: Dynamo): Promise<KeySet> {
  const rows = openTable(dynamo, 'global').rows(keySets);
  return (await rows.find({ name: 'access-tokens' }, true)) ?? { name: 'access-tokens', revision: 0, keys: [] };
}

/** The keys that verify tokens now. */
export async function publicKeys(dynamo: Dynamo): Promise<PublicKey[]> {
  const { keys } = await readKeySet(dynamo);
  return keys.filter(({ until }) => !until || until > now());
}

/** Reads the set every five minutes, and for an id that it lacks once a minute: made-up ids cost no more. */
export async function findPublicKey(dynamo: Dynamo, kid: string): Promise<PublicKey | undefined> {
  const age = nowMs() - (caches.get(dynamo)?.readAt ?? Number.NEGATIVE_INFINITY);
  const found = await pick(dynamo, kid, age >= KEEP_MS);
  return found ?? (age >= REREAD_MS && age < KEEP_MS ? pick(dynamo, kid, true) : undefined);
}

async function pick(dynamo: Dynamo, kid: string, read: boolean): Promise<PublicKey | undefined> {
  const kept = read ? keep(dynamo) : caches.get(dynamo);
  const found = (await kept?.keys)?.find((key) => key.kid === kid);
  return found?.until && found.until <= now() ? undefined : found;
}

function keep(dynamo: Dynamo): Kept {
  const kept = { keys: publicKeys(dynamo), readAt: nowMs() };
  caches.set(dynamo, kept);
  kept.keys.catch(() => caches.delete(dynamo));
  return kept;
}
