import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { authenticate } from '#shared/platform/auth/authenticate.ts';
import { ensureSigningKey, rotateSigningKey } from '#shared/platform/auth/key-rotation.ts';
import { readKeySet } from '#shared/platform/auth/key-set.ts';
import { signAccessToken } from '#shared/platform/auth/signing.ts';
import { parseClientId } from '#shared/platform/auth/token-format.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { type Deployment, startDeployment } from '../../../support/credentials-store.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment();
});
afterEach(() => setClock());
afterAll(() => deployment.store.stop());

const start = Date.now();
const at = (seconds: number) => setClock(() => start + seconds * 1000);

const sign = async () => {
  const { organizationId, clientId } = deployment.organization;
  const sub = parseClientId(clientId)?.id ?? '';
  const who = { kind: 'service_account', role: 'admin', name: 'administrator' } as const;
  return signAccessToken(deployment.connections, { sub, org: organizationId, ...who });
};
const kidOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
const kids = async () => (await readKeySet(deployment.store.dynamo)).keys.map(({ kid }) => kid);
const accepts = async (token: string, { connections }: { connections: Connections } = deployment) =>
  authenticate(connections, `Bearer ${token}`).then(
    () => true,
    () => false,
  );

test('after a rotation old tokens stay valid for their hour, and the new key signs once all functions know it', async () => {
  at(1000);
  const before = await sign();
  const longRunning = deployment.process();
  expect(await accepts(before, longRunning)).toBe(true);
  const { revision } = await readKeySet(deployment.store.dynamo);
  const kid = await rotateSigningKey(deployment.connections);
  expect((await readKeySet(deployment.store.dynamo)).revision).toBeGreaterThan(revision);

  const during = await sign();
  expect(kidOf(during)).toBe(kidOf(before));
  expect(await accepts(during, longRunning)).toBe(true);

  at(1000 + 601);
  const after = await sign();
  expect(kidOf(after)).toBe(kid);
  expect(await accepts(after, longRunning)).toBe(true);
  expect(await accepts(during, longRunning)).toBe(true);

  at(1000 + 600 + 3600 + 601);
  expect(await accepts(before, longRunning)).toBe(false);
  expect(await accepts(await sign(), longRunning)).toBe(true);
});

test('keys whose tokens have expired leave the set at the next rotation', async () => {
  at(100_000);
  const first = kidOf(await sign());
  await rotateSigningKey(deployment.connections);
  at(200_000);
  const second = kidOf(await sign());
  const third = await rotateSigningKey(deployment.connections);
  expect(await kids()).toEqual([second, third]);
  expect([first, second, third]).toEqual([...new Set([first, second, third])]);
});

test('a second rotation before the first took effect leaves a signing key', async () => {
  at(300_000);
  const before = await sign();
  await rotateSigningKey(deployment.connections);
  at(300_061);
  const last = await rotateSigningKey(deployment.connections);
  expect(await accepts(await sign())).toBe(true);
  expect(await accepts(before)).toBe(true);
  at(301_000);
  expect(kidOf(await sign())).toBe(last);
});

test('after a leak the old key is refused within five minutes and the new key signs at once', async () => {
  at(400_000);
  const leaked = await sign();
  const elsewhere = deployment.process();
  expect(await accepts(leaked, elsewhere)).toBe(true);
  const kid = await rotateSigningKey(deployment.connections, { compromised: true });
  const fresh = await sign();
  expect(kidOf(fresh)).toBe(kid);
  expect(await accepts(fresh, elsewhere)).toBe(true);
  at(400_301);
  expect(await accepts(leaked, elsewhere)).toBe(false);
});

test('a start keeps an existing key', async () => {
  const before = await kids();
  await ensureSigningKey(deployment.connections);
  expect(await kids()).toEqual(before);
});

test('a start whose table and secret disagree makes a working key', async () => {
  at(500_000);
  const { secrets, settings } = deployment.connections;
  for (const broken of ['', '{}', '{"keys":[]}', 'not json']) {
    await secrets.put(settings.SIGNING_SECRET, broken);
    await ensureSigningKey(deployment.connections);
    expect(await accepts(await sign())).toBe(true);
  }
});

test('one of two operators who rotate simultaneously is asked to wait, and tokens keep working', async () => {
  at(600_000);
  const both = await Promise.allSettled([
    rotateSigningKey(deployment.connections),
    rotateSigningKey(deployment.connections),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  at(600_000 + 601);
  expect(await accepts(await sign())).toBe(true);
  at(700_000);
  expect(await accepts(await sign())).toBe(true);
});

test('the first key signs even if it was made on a machine whose clock was ahead', async () => {
  at(800_000);
  await rotateSigningKey(deployment.connections, { compromised: true });
  at(799_990);
  expect(await accepts(await sign())).toBe(true);
});
