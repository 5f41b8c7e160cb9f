import { expect, onTestFinished, test } from 'vitest';
import { nowMs, setClock } from '#shared/clock.ts';
import { open, SealBroken, seal } from '#shared/crypto/seal.ts';
import { ensureSealingKey, rotateSealingKey } from '#shared/crypto/sealing-key.ts';
import type { Ports } from '#shared/ports.ts';

const context = { organizationId: 'o1', purpose: 'completions', id: 'r1' };
const bytes = Buffer.from('the admin password is hunter2');

/** Secrets in memory. */
function deployment(): Pick<Ports, 'secrets' | 'settings'> & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  const secrets = {
    get: async (name: string) => kept.get(name) ?? Promise.reject(new Error(`no secret ${name}`)),
    put: async (name: string, value: string) => void kept.set(name, value),
  };
  return { kept, secrets, settings: { SEALING_SECRET: 'sealing-key' } as Ports['settings'] };
}

async function ready() {
  const ports = deployment();
  await ensureSealingKey(ports);
  return ports;
}

test('what was sealed opens again, and cannot be read without the key', async () => {
  const ports = await ready();
  const sealed = await seal(ports, context, bytes);
  expect(Buffer.from(sealed).includes('hunter2')).toBe(false);
  expect(Buffer.from(await open(ports, context, sealed))).toEqual(bytes);
  expect(Buffer.from(await seal(ports, context, bytes))).not.toEqual(Buffer.from(sealed));
});

test.each([
  { ...context, organizationId: 'o2' },
  { ...context, purpose: 'credentials' },
  { ...context, id: 'r2' },
])('a row copied to another place opens nowhere else: %o', async (other) => {
  const ports = await ready();
  const sealed = await seal(ports, context, bytes);
  await expect(open(ports, other, sealed)).rejects.toBeInstanceOf(SealBroken);
});

test('no byte of what was sealed can be changed, and none cut off, without being noticed', async () => {
  const ports = await ready();
  const sealed = Buffer.from(await seal(ports, context, bytes));
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    await expect(open(ports, context, changed)).rejects.toBeInstanceOf(SealBroken);
    await expect(open(ports, context, sealed.subarray(0, at))).rejects.toBeInstanceOf(SealBroken);
  }
});

test('a new key seals ten minutes after every function could read it, and what the old one sealed still opens', async () => {
  onTestFinished(() => setClock());
  const ports = await ready();
  const before = await seal(ports, context, bytes);
  const kid = await rotateSealingKey(ports);
  const usesNew = async () => Buffer.from(await seal(ports, context, bytes)).includes(kid);
  expect(await usesNew()).toBe(false);
  const later = nowMs() + 601_000;
  setClock(() => later);
  expect(await usesNew()).toBe(true);
  expect(Buffer.from(await open(ports, context, before))).toEqual(bytes);
});

test('starting again keeps the key, and a secret that cannot be read is not written over', async () => {
  const ports = await ready();
  const first = ports.kept.get('sealing-key');
  await ensureSealingKey(ports);
  expect(ports.kept.get('sealing-key')).toBe(first);
  ports.kept.set('sealing-key', '{"keys":"damaged"}');
  await expect(ensureSealingKey(ports)).rejects.toThrow();
  expect(ports.kept.get('sealing-key')).toBe('{"keys":"damaged"}');
});
