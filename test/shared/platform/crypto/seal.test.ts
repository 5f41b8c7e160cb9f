import { expect, onTestFinished, test } from 'vitest';
import { open, SealBroken, seal } from '#shared/platform/crypto/seal.ts';
import { ensureSealingKey, rotateSealingKey } from '#shared/platform/crypto/sealing-key.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';

const context = { organizationId: 'o1', purpose: 'completions', id: 'r1' };
const bytes = Buffer.from('the admin password is hunter2');

/** Secrets in memory. */
function deployment(): Pick<Connections, 'secrets' | 'settings'> & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  const secrets = {
    get: async (name: string) => kept.get(name) ?? Promise.reject(new Error(`no secret ${name}`)),
    put: async (name: string, value: string) => void kept.set(name, value),
  };
  return { kept, secrets, settings: { SEALING_SECRET: 'sealing-key' } as Connections['settings'] };
}

async function ready() {
  const connections = deployment();
  await ensureSealingKey(connections);
  return connections;
}

test('what was sealed opens again, and cannot be read without the key', async () => {
  const connections = await ready();
  const sealed = await seal(connections, context, bytes);
  expect(Buffer.from(sealed).includes('hunter2')).toBe(false);
  expect(Buffer.from(await open(connections, context, sealed))).toEqual(bytes);
  expect(Buffer.from(await seal(connections, context, bytes))).not.toEqual(Buffer.from(sealed));
});

test.each([
  { ...context, organizationId: 'o2' },
  { ...context, purpose: 'credentials' },
  { ...context, id: 'r2' },
])('a row copied to another place opens nowhere else: %o', async (other) => {
  const connections = await ready();
  const sealed = await seal(connections, context, bytes);
  await expect(open(connections, other, sealed)).rejects.toBeInstanceOf(SealBroken);
});

test('no byte of what was sealed can be changed, and none cut off, without being noticed', async () => {
  const connections = await ready();
  const sealed = Buffer.from(await seal(connections, context, bytes));
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    await expect(open(connections, context, changed)).rejects.toBeInstanceOf(SealBroken);
    await expect(open(connections, context, sealed.subarray(0, at))).rejects.toBeInstanceOf(SealBroken);
  }
});

test('a new key seals ten minutes after every function could read it, and what the old one sealed still opens', async () => {
  onTestFinished(() => setClock());
  const connections = await ready();
  const before = await seal(connections, context, bytes);
  const kid = await rotateSealingKey(connections);
  const usesNew = async () => Buffer.from(await seal(connections, context, bytes)).includes(kid);
  expect(await usesNew()).toBe(false);
  const later = nowMs() + 601_000;
  setClock(() => later);
  expect(await usesNew()).toBe(true);
  expect(Buffer.from(await open(connections, context, before))).toEqual(bytes);
});

test('starting again keeps the key, and a secret that cannot be read is not written over', async () => {
  const connections = await ready();
  const first = connections.kept.get('sealing-key');
  await ensureSealingKey(connections);
  expect(connections.kept.get('sealing-key')).toBe(first);
  connections.kept.set('sealing-key', '{"keys":"damaged"}');
  await expect(ensureSealingKey(connections)).rejects.toThrow();
  expect(connections.kept.get('sealing-key')).toBe('{"keys":"damaged"}');
});
