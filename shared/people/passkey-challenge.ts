import { createHash } from 'node:crypto';
import { open, SealBroken, seal } from '#shared/platform/crypto/seal.ts';
import { inSeconds, now, secondsAfter } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { useOnce } from './used-challenge.ts';

export const CHALLENGE_SECONDS = 300;

const CONTEXT = { organizationId: GLOBAL_SCOPE, purpose: 'passkey', id: 'challenge' };

/** A challenge for any passkey: its end, sealed. The table has no row of it, however many anybody asks for. */
export async function newChallenge(connections: Connections): Promise<string> {
  const sealed = await seal(connections, CONTEXT, Buffer.from(inSeconds(CHALLENGE_SECONDS)));
  return Buffer.from(sealed).toString('base64url');
}

/** Uses a challenge up. @returns false for one that is not of this service, has expired or was used */
export async function useChallenge(connections: Connections, challenge: string): Promise<boolean> {
  const sealed = Buffer.from(challenge, 'base64url');
  const endsAt = await endOf(connections, sealed);
  if (endsAt === undefined || endsAt <= now()) return false;
  const id = createHash('sha256').update(sealed).digest('base64url');
  // a minute longer than the challenge, because clocks differ
  return useOnce(connections.dynamo, { id, by: newId(), expiresAt: secondsAfter(endsAt, 60) });
}

const endOf = (connections: Connections, sealed: Uint8Array): Promise<string | undefined> =>
  open(connections, CONTEXT, sealed).then(
    (bytes) => Buffer.from(bytes).toString(),
    (error: unknown) => {
      if (error instanceof SealBroken) return undefined;
      throw error;
    },
  );
