import { expect, test } from 'vitest';
import { newChallenge, useChallenge } from '#shared/people/passkey-challenge.ts';
import { seal } from '#shared/platform/crypto/seal.ts';
import { ensureSealingKey } from '#shared/platform/crypto/sealing-key.ts';
import { inSeconds, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { secretsInMemory } from '#test/support/credentials-store.ts';
import { useStore } from '#test/support/store.ts';

const store = useStore();

async function deployment() {
  const settings = { SEALING_SECRET: 'sealing-key' };
  const connections = { dynamo: store.dynamo, secrets: secretsInMemory(), settings } as never;
  await ensureSealingKey(connections);
  return connections;
}

test('of many requests at once with one challenge one passes, however its text is written, and none later', async () => {
  const connections = await deployment();
  const challenge = await newChallenge(connections);
  const texts = [challenge, `${challenge}=`, `${challenge}!`, challenge.replaceAll('-', '+').replaceAll('_', '/')];
  const uses = Array.from({ length: 40 }, (_, n) => useChallenge(connections, texts[n % texts.length] ?? ''));
  expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
  for (const text of texts) expect(await useChallenge(connections, text)).toBe(false);
});

test('a challenge opens nothing after five minutes, and one of another deployment or for something else never does', async () => {
  const connections = await deployment();
  const late = await newChallenge(connections);
  const foreign = await newChallenge(await deployment());
  const end = Buffer.from(inSeconds(300));
  const other = await seal(connections, { organizationId: GLOBAL_SCOPE, purpose: 'totp', id: 'challenge' }, end);
  for (const text of [foreign, Buffer.from(other).toString('base64url'), '', 'x', 'A'.repeat(200)])
    expect(await useChallenge(connections, text)).toBe(false);
  const begun = nowMs();
  setClock(() => begun + 301_000);
  expect(await useChallenge(connections, late)).toBe(false);
  setClock(() => begun + 290_000);
  expect(await useChallenge(connections, late)).toBe(true);
});
