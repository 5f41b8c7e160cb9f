import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Credential,
  credentials,
  findCredential,
  forgetCredential,
  noteUse,
  opens,
  readCredential,
  releaseMachine,
  rotateSecret,
} from '#shared/platform/auth/credential.ts';
import { hashSecret, newSecret } from '#shared/platform/auth/token-format.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { injectFaults } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const start = Date.parse('2026-03-01T12:00:00.000Z');
const at = (seconds: number) => setClock(() => start + seconds * 1000);
const timeAt = (seconds: number): string => new Date(start + seconds * 1000).toISOString();
beforeEach(() => at(0));
afterEach(() => setClock());

const secret = newSecret();

async function stored(table: Table, more: Partial<Credential> = {}) {
  const id = newId();
  const row: Credential = { id, kind: 'machine', name: 'north', secrets: [{ hash: hashSecret(secret) }], ...more };
  await table.rows(credentials).put(row);
  const where = { organizationId: table.organizationId, id };
  return { where, row: async () => (await table.rows(credentials).find({ id }, true)) ?? expect.fail('it is gone') };
}

test('a secret opens until its end, and a credential until its own, that moment excluded', () => {
  const credential = (secrets: object, more: object = {}): Credential => ({
    id: 'x',
    kind: 'api_key',
    name: 'x',
    secrets: [{ hash: hashSecret(secret), ...secrets }],
    ...more,
  });
  const judged = (one: Credential) =>
    [-1, 0, 1].map((seconds) => {
      at(seconds);
      return opens(one, secret);
    });
  expect(judged(credential({}))).toEqual([true, true, true]);
  expect(judged(credential({ until: timeAt(0) }))).toEqual([true, false, false]);
  expect(judged(credential({}, { expiresAt: timeAt(0) }))).toEqual([true, false, false]);
  expect(opens(credential({}), newSecret())).toBe(false);
});

describe('a rotation', () => {
  test('never lets a replaced secret work longer than was said before', async () => {
    const { where, row } = await stored(newOrganization(store.dynamo));
    const ends = async () => (await row()).secrets.map(({ until }) => until);
    await rotateSecret(store.dynamo, where, { overlapSeconds: 60 });
    expect(await ends()).toEqual([timeAt(60), undefined]);
    await rotateSecret(store.dynamo, where, { overlapSeconds: 3600 });
    expect(await ends()).toEqual([timeAt(60), timeAt(3600), undefined]);
    await rotateSecret(store.dynamo, where, { overlapSeconds: 30 });
    expect(await ends()).toEqual([timeAt(30), timeAt(30), timeAt(30), undefined]);
    at(30);
    await rotateSecret(store.dynamo, where, { overlapSeconds: 10 });
    expect(await ends()).toEqual([timeAt(40), undefined]);
  });

  test('ends the access tokens only without an overlap, at each rotation', async () => {
    const { where, row } = await stored(newOrganization(store.dynamo));
    const generations: unknown[] = [];
    for (const overlapSeconds of [60, 0, 60, 0]) {
      await rotateSecret(store.dynamo, where, { overlapSeconds });
      generations.push((await row()).generation);
    }
    expect(generations).toEqual([undefined, 1, 1, 2]);
  });

  test('is refused for an ended token and a disabled machine, and changes nothing then', async () => {
    const table = newOrganization(store.dynamo);
    const { where, row } = await stored(table, { generation: 2 });
    const before = await row();
    for (const issuedUnder of [0, 1])
      await expect(rotateSecret(store.dynamo, where, { overlapSeconds: 0, issuedUnder })).rejects.toMatchObject({
        code: 'unauthorized',
      });
    expect(await row()).toEqual(before);
    expect(await rotateSecret(store.dynamo, where, { overlapSeconds: 60, issuedUnder: 2 })).toBeDefined();
    const disabled = await stored(table, { disabled: true });
    await expect(rotateSecret(store.dynamo, disabled.where, { overlapSeconds: 0 })).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    expect((await disabled.row()).secrets).toHaveLength(1);
  });

  test('of a credential that is gone makes none', async () => {
    const table = newOrganization(store.dynamo);
    const where = { organizationId: table.organizationId, id: newId() };
    expect(await rotateSecret(store.dynamo, where, { overlapSeconds: 0 })).toBeUndefined();
    expect(await table.rows(credentials).find({ id: where.id }, true)).toBeUndefined();
  });

  test('loses no secret to another one at the same moment', async () => {
    const { where, row } = await stored(newOrganization(store.dynamo));
    const made = await Promise.all([1, 2, 3].map(() => rotateSecret(store.dynamo, where, { overlapSeconds: 60 })));
    const current = await row();
    for (const one of [secret, ...made]) expect(opens(current, one ?? '')).toBe(true);
    expect(current.secrets).toHaveLength(4);
  });

  test('counts at once in the process that made it', async () => {
    const { where } = await stored(newOrganization(store.dynamo));
    await findCredential(store.dynamo, where);
    await rotateSecret(store.dynamo, where, { overlapSeconds: 0 });
    expect(await findCredential(store.dynamo, where)).toMatchObject({ generation: 1 });
  });
});

test('only a machine is released, and for an hour', async () => {
  const table = newOrganization(store.dynamo);
  const [machine, key] = [await stored(table), await stored(table, { kind: 'api_key' })];
  expect(await releaseMachine(store.dynamo, machine.where)).toBe(timeAt(3600));
  expect(await machine.row()).toMatchObject({ releasedUntil: timeAt(3600) });
  const { organizationId } = table;
  for (const id of [key.where.id, newId(), 'no-id'])
    await expect(releaseMachine(store.dynamo, { organizationId, id })).rejects.toMatchObject({ code: 'not_found' });
  expect((await key.row()).releasedUntil).toBeUndefined();
});

describe('the last use', () => {
  test('of a key or an account is noted, again after an hour and not before', async () => {
    const { where, row } = await stored(newOrganization(store.dynamo), { kind: 'service_account' });
    const noted: unknown[] = [];
    for (const seconds of [0, 3599, 3600]) {
      at(seconds);
      await noteUse(store.dynamo, where, await row());
      noted.push((await row()).lastUsedAt);
    }
    expect(noted).toEqual([timeAt(0), timeAt(0), timeAt(3600)]);
  });

  test('of a machine is not: it would cost a write an hour for each', async () => {
    const { where, row } = await stored(newOrganization(store.dynamo));
    await noteUse(store.dynamo, where, await row());
    expect((await row()).lastUsedAt).toBeUndefined();
  });

  test('brings no revoked key back, and fails no request where it cannot be noted', async () => {
    const table = newOrganization(store.dynamo);
    const { where, row } = await stored(table, { kind: 'api_key' });
    const read = await row();
    await table.rows(credentials).remove({ id: where.id });
    await noteUse(store.dynamo, where, { ...read });
    expect(await table.rows(credentials).find({ id: where.id }, true)).toBeUndefined();
    const broken = store.connect();
    injectFaults(broken, {
      random: () => 1,
      before: () => {
        throw new Error('the table is away');
      },
    });
    await noteUse(broken, where, { ...read });
  });
});

test('a credential is read once a minute, and while its organization is restored it neither opens nor ends', async () => {
  const table = newOrganization(store.dynamo);
  const { where } = await stored(table);
  await findCredential(store.dynamo, where);
  await table.rows(credentials).set({ id: where.id }, { held: true });
  expect(await findCredential(store.dynamo, where)).toMatchObject({ name: 'north' });
  await expect(readCredential(store.dynamo, where)).rejects.toMatchObject({ code: 'limit_exceeded' });
  forgetCredential(store.dynamo, where);
  await expect(findCredential(store.dynamo, where)).rejects.toMatchObject({ code: 'limit_exceeded' });
  await table.rows(credentials).set({ id: where.id }, { held: undefined });
  expect(await findCredential(store.dynamo, where)).toMatchObject({ id: where.id });
});
