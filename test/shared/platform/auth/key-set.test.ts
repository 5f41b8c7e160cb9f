import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPublicKey, forgetKeySet, keySets, type PublicKey, publicKeys } from '#shared/platform/auth/key-set.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { injectFaults } from '../../../support/faults.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore('test');
const start = Date.parse('2026-03-01T12:00:00.000Z');
const at = (ms: number) => setClock(() => start + ms);
const timeAt = (ms: number): string => new Date(start + ms).toISOString();
beforeEach(() => at(0));
afterEach(() => setClock());

const key = (kid: string, until?: string): PublicKey => ({
  kid,
  x: kid,
  createdAt: timeAt(-1),
  ...(until && { until }),
});
const write = (...keys: PublicKey[]) =>
  openTable(store.dynamo, GLOBAL_SCOPE).rows(keySets).put({ name: 'access-tokens', revision: 1, keys });
const kids = async (dynamo: Dynamo) => (await publicKeys(dynamo)).map(({ kid }) => kid);

/** Another process with a count of its reads, whose table can be taken away. */
function elsewhere() {
  const seen = { reads: 0, away: false };
  const dynamo = store.connect();
  injectFaults(dynamo, {
    random: () => 1,
    before: () => {
      seen.reads++;
      if (seen.away) throw new Error('the table is away');
    },
  });
  return { dynamo, seen };
}

test('a replaced key verifies until its end, that moment excluded, and is not published after it', async () => {
  await write(key('old', timeAt(10)), key('new'));
  for (const [ms, expected] of [
    [9, ['old', 'new']],
    [10, ['new']],
    [11, ['new']],
  ] as const) {
    at(ms);
    expect(await kids(store.dynamo)).toEqual(expected);
    expect((await findPublicKey(store.dynamo, 'old'))?.kid).toBe(expected.length === 2 ? 'old' : undefined);
  }
});

test('the set is read again after five minutes: a key that leaked is refused then', async () => {
  const { dynamo, seen } = elsewhere();
  await write(key('old'));
  expect(await kids(dynamo)).toEqual(['old']);
  await write(key('new'));
  at(299_999);
  expect(await kids(dynamo)).toEqual(['old']);
  expect(seen.reads).toBe(1);
  at(300_000);
  expect(await kids(dynamo)).toEqual(['new']);
  expect(seen.reads).toBe(2);
});

test('a new key is found at once, and invented ids cost a read a minute, also across a regular read', async () => {
  const { dynamo, seen } = elsewhere();
  await write(key('old'));
  await kids(dynamo);
  await write(key('old'), key('new'));
  expect((await findPublicKey(dynamo, 'new'))?.kid).toBe('new');
  expect(seen.reads).toBe(2);
  const invent = async (ms: number) => {
    at(ms);
    await findPublicKey(dynamo, `k${ms}`);
    return seen.reads;
  };
  expect(await invent(59_999)).toBe(2);
  expect(await invent(60_000)).toBe(3);
  expect(await invent(60_001)).toBe(3);
  at(359_999);
  await findPublicKey(dynamo, 'invented');
  expect(seen.reads).toBe(4);
  at(360_000);
  await findPublicKey(dynamo, 'invented');
  expect(seen.reads).toBe(4);
});

test('a read that failed is not kept: tokens are verified again as soon as the table answers', async () => {
  const { dynamo, seen } = elsewhere();
  await write(key('old'));
  seen.away = true;
  await expect(kids(dynamo)).rejects.toThrow('away');
  seen.away = false;
  expect(await kids(dynamo)).toEqual(['old']);
  await write(key('new'));
  forgetKeySet(dynamo);
  expect(await kids(dynamo)).toEqual(['new']);
});
