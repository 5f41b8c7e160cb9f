import { expect, test } from 'vitest';
import { lastSeen, lastSeenWith, usualStateKeys } from '#shared/findings/view/last-seen.ts';
import { scopeRows } from '#shared/findings/view/scan-scope.ts';
import { packState, type SeenRecord } from '#shared/findings/view/scan-state.ts';
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

/** A scope whose last report left a state. @returns the state's key */
async function keep(
  { table, objects }: World,
  scope: string,
  records: readonly SeenRecord[],
  size = 0,
): Promise<string> {
  const stateKey = `state/${newId()}`;
  const many = Array.from({ length: size }, (_, n) => seen(newId(), `filler ${n}`));
  objects.set(stateKey, packState([...records, ...many]));
  await table.rows(scopeRows).put({ id: scope, revision: 1, waiting: [], stateKey });
  return stateKey;
}
const newWorld = (): World => ({ ...newBucket(), table: newOrganization(store.dynamo) });

test('a finding was seen when the state of its scope says so, under whichever name of its asset', async () => {
  const world = newWorld();
  const [one, two, absent, other] = [newId(), newId(), newId(), newId()];
  await keep(world, 'a', [seen(one, 'one', 3), seen(two, 'two', 2)]);
  const rows = [
    { id: one, scope: 'a', fingerprint: print('one') },
    { id: two, scope: 'a', fingerprint: print('one') },
    { id: absent, scope: 'a', fingerprint: print('one') },
    { id: other, scope: 'unknown' },
    { id: other, scope: '' },
  ];
  const found = await lastSeen(world.bucket, world.table, rows);
  expect(Object.fromEntries(found)).toEqual({
    [one]: { lastSeenAt: day(3), occurrences: 3, tool: 'nmap' },
    [two]: { lastSeenAt: day(2), occurrences: 2, tool: 'nmap' },
  });
  expect(await lastSeen(world.bucket, world.table, [{ id: one, scope: 'a' }])).toEqual(
    new Map([[one, { lastSeenAt: day(3), occurrences: 3, tool: 'nmap' }]]),
  );
});

test('a state is read once, and one that is missing is asked for again', async () => {
  const world = newWorld();
  const id = newId();
  const key = await keep(world, 'a', [seen(id, 'one')]);
  const rows = [{ id, scope: 'a' }];
  for (let n = 0; n < 3; n++) expect((await lastSeen(world.bucket, world.table, rows)).size).toBe(1);
  expect(world.reads).toEqual([key]);
  const other = newWorld();
  const missing = await keep(other, 'a', [seen(id, 'one')]);
  const bytes = other.objects.get(missing) ?? new Uint8Array();
  other.objects.delete(missing);
  expect((await lastSeen(other.bucket, other.table, rows)).size).toBe(0);
  other.objects.set(missing, bytes);
  expect((await lastSeen(other.bucket, other.table, rows)).size).toBe(1);
});

test('a state that could not be read is asked for again', async () => {
  const world = newWorld();
  const id = newId();
  await keep(world, 'a', [seen(id, 'one')]);
  const { get } = world.bucket;
  const broken = { get: () => Promise.reject(new Error('no bucket')) } as unknown as Bucket;
  await expect(lastSeen(broken, world.table, [{ id, scope: 'a' }])).rejects.toThrow('no bucket');
  expect((await lastSeen({ get } as Bucket, world.table, [{ id, scope: 'a' }])).size).toBe(1);
});

test('the scopes of the last answers are known for the next one: five of an organization, those with the most findings first', async () => {
  const world = newWorld();
  const { bucket, table } = world;
  const rows = (scope: string, count: number) => Array.from({ length: count }, () => ({ id: newId(), scope }));
  const keys = new Map<string, string>();
  for (const scope of ['a', 'b', 'c', 'd', 'e', 'f']) keys.set(scope, await keep(world, scope, []));
  const known = async () => [...(await usualStateKeys(table))];
  expect(await known()).toEqual([]);
  await lastSeen(bucket, table, [...rows('a', 1), ...rows('b', 3), ...rows('', 5), ...rows('none', 2)]);
  expect(await known()).toEqual([
    ['b', keys.get('b')],
    ['none', undefined],
    ['a', keys.get('a')],
  ]);
  await lastSeen(bucket, table, [...rows('c', 2), ...rows('a', 1), ...rows('d', 3)]);
  expect((await known()).map(([scope]) => scope)).toEqual(['d', 'c', 'a', 'b', 'none']);
  await lastSeen(bucket, table, rows('e', 1));
  expect((await known()).map(([scope]) => scope)).toEqual(['e', 'd', 'c', 'a', 'b']);
  await lastSeen(bucket, table, []);
  expect((await known()).map(([scope]) => scope)).toEqual(['e', 'd', 'c', 'a', 'b']);
  expect([...(await usualStateKeys(newOrganization(store.dynamo)))]).toEqual([]);
});

test('a known key is not read again, and a key without its state is', async () => {
  const world = newWorld();
  const id = newId();
  const [a, b] = [await keep(world, 'a', [seen(id, 'one', 4)]), await keep(world, 'b', [])];
  const { bucket, table } = world;
  const found = (known: [string, string | undefined][]) =>
    lastSeenWith({ bucket, table, known: new Map(known) }, [{ id, scope: 'a' }]);
  expect((await found([['a', a]])).get(id)?.occurrences).toBe(4);
  expect((await found([['a', b]])).size).toBe(0);
  expect((await found([['a', undefined]])).size).toBe(0);
  expect((await found([['a', 'state/replaced']])).get(id)?.occurrences).toBe(4);
  expect((await found([['b', b]])).get(id)?.occurrences).toBe(4);
});

test('at most 32 MB of states are remembered: the oldest is read again, the newest is not', async () => {
  const world = newWorld();
  const { bucket, table, objects, reads } = world;
  const ids = [newId(), newId(), newId()];
  for (const [n, id] of ids.entries()) {
    await keep(world, `s${n}`, [seen(id, 'one')]);
    const key = (await table.rows(scopeRows).find({ id: `s${n}` }))?.stateKey ?? '';
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
