import { now, nowMs } from '../clock.ts';
import type { Dynamo } from '../table/client.ts';
import { defineRow } from '../table/row.ts';
import { openTable } from '../table/table.ts';

/** A public key of the deployment's access tokens (RFC 8037: an Ed25519 public key is `x`). */
export type PublicKey = {
  kid: string;
  x: string;
  createdAt: string;
  /** It was replaced, and the last token that it signed is over by then. */
  until?: string;
};
export type KeySet = { name: 'access-tokens'; revision: number; keys: PublicKey[] };

/** Lies in the global partition: what verifies a token is the same for every organization. */
export const keySets = defineRow<KeySet, Pick<KeySet, 'name'>>({ name: 'key-set', key: ({ name }) => [name] });

export async function readKeySet(dynamo: Dynamo): Promise<KeySet> {
  const rows = openTable(dynamo, 'global').rows(keySets);
  return (await rows.find({ name: 'access-tokens' }, true)) ?? { name: 'access-tokens', revision: 0, keys: [] };
}

/** The keys that verify tokens now. */
export async function publicKeys(dynamo: Dynamo): Promise<PublicKey[]> {
  const { keys } = await readKeySet(dynamo);
  return keys.filter(({ until }) => !until || until > now());
}

const KEEP_MS = 5 * 60_000;
const REREAD_MS = 60_000;

type Kept = { keys: Promise<PublicKey[]>; readAt: number; rereadAt: number };
const caches = new WeakMap<Dynamo, Kept>();

/** Reads the set every five minutes, and for an id that it lacks once a minute: made-up ids cost no more. */
export async function findPublicKey(dynamo: Dynamo, kid: string): Promise<PublicKey | undefined> {
  const time = nowMs();
  const standing = caches.get(dynamo);
  const fresh = standing !== undefined && time - standing.readAt < KEEP_MS;
  const kept = fresh ? standing : keep(dynamo, standing?.rereadAt);
  const found = await pick(kept, kid);
  if (found || !fresh || time - standing.rereadAt < REREAD_MS) return found;
  return pick(keep(dynamo, time), kid);
}

async function pick({ keys }: Kept, kid: string): Promise<PublicKey | undefined> {
  const found = (await keys).find((key) => key.kid === kid);
  return found?.until && found.until <= now() ? undefined : found;
}

function keep(dynamo: Dynamo, rereadAt = Number.NEGATIVE_INFINITY): Kept {
  const kept = { keys: publicKeys(dynamo), readAt: nowMs(), rereadAt };
  caches.set(dynamo, kept);
  kept.keys.catch(() => caches.delete(dynamo));
  return kept;
}
