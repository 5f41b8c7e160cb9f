import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ensureSigningKey, rotateSigningKey } from '#shared/platform/auth/key-rotation.ts';
import { readKeySet } from '#shared/platform/auth/key-set.ts';
import { SigningKeys } from '#shared/platform/auth/signing.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { type Deployment, startDeployment } from '../../../support/credentials-store.ts';

const start = Date.parse('2026-03-01T12:00:00.000Z');
const at = (ms: number) => setClock(() => start + ms);
const timeAt = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

let deployment: Deployment;
beforeAll(async () => {
  setClock(() => start - 86_400_000);
  deployment = await startDeployment();
});
beforeEach(() => at(0));
afterEach(() => setClock());
afterAll(() => deployment.store.stop());

const published = async () => (await readKeySet(deployment.store.dynamo)).keys;
const signing = async () => {
  const { secrets, settings } = deployment.connections;
  return SigningKeys.parse(JSON.parse(await secrets.get(settings.SIGNING_SECRET))).keys;
};

test('a new key signs ten minutes later, and the old one verifies until its last token and the slack are over', async () => {
  const [old] = await published();
  const kid = await rotateSigningKey(deployment.connections);
  expect((await signing()).map((key) => [key.kid, key.from])).toEqual([
    [old?.kid, expect.any(String)],
    [kid, timeAt(600)],
  ]);
  expect((await published()).map((key) => [key.kid, key.until])).toEqual([
    [old?.kid, timeAt(600 + 3600 + 600)],
    [kid, undefined],
  ]);
  // the end that was told first stays, and so does the key that still signs
  at(60_001);
  const next = await rotateSigningKey(deployment.connections);
  expect((await published()).map((key) => [key.kid, key.until])).toEqual([
    [old?.kid, timeAt(4800)],
    [kid, new Date(start + 60_001 + 4_800_000).toISOString()],
    [next, undefined],
  ]);
  expect((await signing()).map((key) => key.kid)).toEqual([old?.kid, kid, next]);
});

test('a rotation within a minute of another is refused and publishes nothing, and one after it is not', async () => {
  at(1_000_000_000);
  await rotateSigningKey(deployment.connections);
  const before = await published();
  for (const ms of [0, 59_999]) {
    at(1_000_000_000 + ms);
    await expect(rotateSigningKey(deployment.connections)).rejects.toThrow(/less than a minute ago/);
  }
  expect(await published()).toEqual(before);
  at(1_000_060_000);
  await rotateSigningKey(deployment.connections);
  expect(await published()).toHaveLength(before.length + 1);
});

test('after a leak no key but the new one signs or verifies, even within the minute of another rotation', async () => {
  at(2_000_000_000);
  await rotateSigningKey(deployment.connections);
  const kid = await rotateSigningKey(deployment.connections, { compromised: true });
  expect((await published()).map((key) => [key.kid, key.until])).toEqual([[kid, undefined]]);
  expect((await signing()).map((key) => [key.kid, key.from])).toEqual([[kid, timeAt(2_000_000)]]);
});

test('a key leaves the set in the moment of its end, at the next rotation', async () => {
  at(3_000_000_000);
  const [old] = await published();
  await rotateSigningKey(deployment.connections);
  const end = 3_000_000_000 + 4_800_000;
  const kids = async () => (await published()).map(({ kid }) => kid);
  at(end - 1);
  await rotateSigningKey(deployment.connections);
  expect(await kids()).toContain(old?.kid);
  at(end + 60_000);
  await rotateSigningKey(deployment.connections);
  expect(await kids()).not.toContain(old?.kid);
});

test('a start makes a key where the newest that signs cannot be verified, and none where it can', async () => {
  at(5_000_000_000);
  const { secrets, settings } = deployment.connections;
  const before = await published();
  await ensureSigningKey(deployment.connections);
  expect(await published()).toEqual(before);
  const [key] = await signing();
  await secrets.put(settings.SIGNING_SECRET, JSON.stringify({ keys: [{ ...key, kid: 'lost' }] }));
  await ensureSigningKey(deployment.connections);
  expect((await published()).map(({ kid }) => kid)).toEqual((await signing()).map(({ kid }) => kid));
});
