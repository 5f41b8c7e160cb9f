import { expect, test } from 'vitest';
import { lastSeen, lastSeenWith, usualScopes } from '#shared/findings/view/last-seen.ts';
import { type ScopeRow, scopeRows } from '#shared/findings/view/scan-scope.ts';
import { packState, type SeenRecord, stateOf } from '#shared/findings/view/scan-state.ts';
import { packSightings } from '#shared/findings/view/sightings.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

const day = (n: number) => `2026-01-0${n}T08:00:00.000Z`;
const print = (name: string) => Buffer.from(name.padEnd(16, '.')).toString('base64url');

/** A bucket that counts what is read. */
function newBucket() {
  const objects = new Map<string, Uint8Array>();
  const reads: string[] = [];
  const get = async (key: string) => {
    reads.push(key);
    return objects.get(key);
  };
  return { bucket: { get } as unknown as Bucket, objects, reads };
}
type World = ReturnType<typeof newBucket> & { table: Table };

const seen = (id: string, name: string, n = 1): SeenRecord => ({
  id,
  fingerprint: print(name),
  contentHash: 'AAAAAAAAAAA',
  seenAt: Date.parse(day(n)),
  occurrences: n,
  tool: 'nmap',
});

/** A scope whose last report left a state. @returns its row */
async function keep({ table, objects }: World, id: string, records: readonly SeenRecord[]): Promise<ScopeRow> {
  const stateKey = `state/${newId()}`;
  objects.set(stateKey, packState(records));
  const row = { id, revision: 1, waiting: [], stateKey, sightings: packSightings(stateOf(records)) };
  await table.rows(scopeRows).put(row);
  return row;
}

/** The same as an earlier release left it. @returns the key of its state */
async function keepState(world: World, scope: string, records: readonly SeenRecord[]): Promise<string> {
  const { sightings: _sightings, ...row } = await keep(world, scope, records);
  await world.table.rows(scopeRows).put(row);
  return row.stateKey ?? '';
}
const newWorld = (): World => ({ ...newBucket(), table: newOrganization(store.dynamo) });

test('a finding was seen when the sightings of its scope say so, and the bucket is not read', async () => {
  const world = newWorld();
  const [one, two, absent, other] = [newId(), newId(), newId(), newId()];
  await keep(world, 'a', [seen(one, 'one', 3), seen(two, 'two', 2)]);
  const rows = [
    { id: one, scope: 'a' },
    { id: two, scope: 'a' },
    { id: absent, scope: 'a' },
    { id: other, scope: 'unknown' },
    { id: other, scope: '' },
  ];
  const expected = {
    [one]: { lastSeenAt: day(3), occurrences: 3, tool: 'nmap' },
    [two]: { lastSeenAt: day(2), occurrences: 2, tool: 'nmap' },
  };
  expect(Object.fromEntries(await lastSeen(world.bucket, world.table, rows))).toEqual(expected);
  expect(world.reads).toEqual([]);
  await keepState(world, 'a', [seen(one, 'one', 3), seen(two, 'two', 2)]);
  expect(Object.fromEntries(await lastSeen(world.bucket, world.table, rows))).toEqual(expected);
  expect(world.reads).toHaveLength(1);
});

test('a state of an earlier release is read once, and one that is missing is asked for again', async () => {
  const world = newWorld();
  const id = newId();
  const key = await keepState(world, 'a', [seen(id, 'one')]);
  const rows = [{ id, scope: 'a' }];
  for (let n = 0; n < 3; n++) expect((await lastSeen(world.bucket, world.table, rows)).size).toBe(1);
  expect(world.reads).toEqual([key]);
  const other = newWorld();
  const missing = await keepState(other, 'a', [seen(id, 'one')]);
  const bytes = other.objects.get(missing) ?? new Uint8Array();
  other.objects.delete(missing);
  expect((await lastSeen(other.bucket, other.table, rows)).size).toBe(0);
  other.objects.set(missing, bytes);
  expect((await lastSeen(other.bucket, other.table, rows)).size).toBe(1);
});

test('a state that could not be read is asked for again', async () => {
  const world = newWorld();
  const id = newId();
  await keepState(world, 'a', [seen(id, 'one')]);
  const { get } = world.bucket;
  const broken = { get: () => Promise.reject(new Error('no bucket')) } as unknown as Bucket;
  await expect(lastSeen(broken, world.table, [{ id, scope: 'a' }])).rejects.toThrow('no bucket');
  expect((await lastSeen({ get } as Bucket, world.table, [{ id, scope: 'a' }])).size).toBe(1);
});

test('the scopes of the last answers are known for the next one: five of an organization, those with the most findings first', async () => {
  const world = newWorld();
  const { bucket, table } = world;
  const rows = (scope: string, count: number) => Array.from({ length: count }, () => ({ id: newId(), scope }));
  const kept = new Map<string, ScopeRow>();
  for (const scope of ['a', 'b', 'c', 'd', 'e', 'f']) kept.set(scope, await keep(world, scope, []));
  const known = async () => [...(await usualScopes(table))];
  expect(await known()).toEqual([]);
  await lastSeen(bucket, table, [...rows('a', 1), ...rows('b', 3), ...rows('', 5), ...rows('none', 2)]);
  expect((await known()).map(([scope, row]) => [scope, row?.stateKey])).toEqual([
    ['b', kept.get('b')?.stateKey],
    ['none', undefined],
    ['a', kept.get('a')?.stateKey],
  ]);
  await lastSeen(bucket, table, [...rows('c', 2), ...rows('a', 1), ...rows('d', 3)]);
  expect((await known()).map(([scope]) => scope)).toEqual(['d', 'c', 'a', 'b', 'none']);
  await lastSeen(bucket, table, rows('e', 1));
  expect((await known()).map(([scope]) => scope)).toEqual(['e', 'd', 'c', 'a', 'b']);
  await lastSeen(bucket, table, []);
  expect((await known()).map(([scope]) => scope)).toEqual(['e', 'd', 'c', 'a', 'b']);
  expect([...(await usualScopes(newOrganization(store.dynamo)))]).toEqual([]);
});

test('a known scope is not read again, and one whose state is gone is', async () => {
  const world = newWorld();
  const { bucket, table } = world;
  const id = newId();
  const [a, empty] = [await keep(world, 'a', [seen(id, 'one', 4)]), await keep(world, 'b', [])];
  const replaced = { id: 'a', revision: 1, waiting: [], stateKey: 'state/replaced' };
  const found = (known: [string, ScopeRow | undefined][]) =>
    lastSeenWith({ bucket, table, known: new Map(known) }, [{ id, scope: 'a' }]);
  expect((await found([['a', a]])).get(id)?.occurrences).toBe(4);
  expect((await found([['a', empty]])).size).toBe(0);
  expect((await found([['a', undefined]])).size).toBe(0);
  expect((await found([['a', replaced]])).get(id)?.occurrences).toBe(4);
  expect((await found([['b', empty]])).get(id)?.occurrences).toBe(4);
});

test('at most 32 MB of states are remembered: the oldest is read again, the newest is not', async () => {
  const world = newWorld();
  const { bucket, table, objects, reads } = world;
  const ids = [newId(), newId(), newId()];
  for (const [n, id] of ids.entries()) {
    const key = await keepState(world, `s${n}`, [seen(id, 'one')]);
    const bytes = Buffer.from(objects.get(key) ?? []);
    // 16 MB of records: two fit, and with a third the first is forgotten
    objects.set(key, Buffer.concat([bytes, Buffer.alloc(49 * Math.floor((16 * 1024 * 1024 - 49) / 49))]));
  }
  const look = async (n: number) => {
    const before = reads.length;
    expect((await lastSeen(bucket, table, [{ id: ids[n] ?? '', scope: `s${n}` }])).size).toBe(1);
    return reads.length - before;
  };
  expect([await look(0), await look(1), await look(2)]).toEqual([1, 1, 1]);
  expect([await look(2), await look(1), await look(0)]).toEqual([0, 0, 1]);
});
