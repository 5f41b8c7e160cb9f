import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { lambdaContext } from '#local/lambda-context.ts';
import { DAY_MS, elapsedMs, inSeconds, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { withinTime } from '#shared/platform/runtime/deadline.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { putRows } from '#shared/platform/table/io/put-rows.ts';
import { defineRow, putWrite, rowKey, stored } from '#shared/platform/table/io/row.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { dice, injectFaults, loseFirstAnswer } from '../../../support/faults.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
afterEach(() => setClock());

type Lease = { task: string; holder: string | null; until?: string };
const leases = defineRow<Lease, { task: string }>({
  name: 'lease',
  about: 'who works on a task',
  key: ({ task }) => [task],
  expiresAt: ({ until }) => until,
});

function committed(table: Table, write: Write): Promise<void> {
  const batch = table.batch();
  batch.write(write);
  return batch.commit();
}

/** The same table over a connection that loses the answer to its first write. */
function unlucky({ organizationId }: Table): Table {
  const dynamo = store.connect();
  loseFirstAnswer(dynamo);
  return openTable(dynamo, organizationId);
}

test('a holder whose answer got lost learns that the row is its own', async () => {
  const table = newOrganization(store.dynamo);
  expect(await unlucky(table).rows(leases).put({ task: 't1', holder: null }, 'absent')).toBe(true);
  const free = { holder: null };
  expect(await unlucky(table).rows(leases).set({ task: 't1' }, { holder: 'ann' }, free)).toBe(true);
  expect(await unlucky(table).rows(leases).remove({ task: 't1' }, { holder: 'ann' })).toBe(true);
  expect(await table.rows(leases).find({ task: 't1' }, true)).toBeUndefined();
});

test('a holder learns so too when the client has given up before it asks again', async () => {
  const table = newOrganization(store.dynamo);
  const given = () => {
    const dynamo = store.connect();
    let lost = false;
    dynamo.client.middlewareStack.add(
      (next) => async (args) => {
        const answer = await next(args);
        if (lost) return answer;
        lost = true;
        throw Object.assign(new Error('no answer'), { name: 'TimeoutError', $metadata: { attempts: 1 } });
      },
      { step: 'initialize', name: 'give-up', priority: 'high' },
    );
    return openTable(dynamo, table.organizationId).rows(leases);
  };
  const free = { holder: null };
  expect(await given().put({ task: 't1', ...free }, 'absent')).toBe(true);
  expect(await given().set({ task: 't1' }, { holder: 'ann' }, free)).toBe(true);
  expect(await given().remove({ task: 't1' }, { holder: 'ann' })).toBe(true);
  expect(await table.rows(leases).find({ task: 't1' }, true)).toBeUndefined();
});

test('a row that another holds is refused, also after a lost answer', async () => {
  const table = newOrganization(store.dynamo);
  await table.rows(leases).put({ task: 't1', holder: 'bob' }, 'absent');
  for (const one of [table, unlucky(table)]) {
    const rows = one.rows(leases);
    expect(await rows.put({ task: 't1', holder: 'ann' }, 'absent')).toBe(false);
    expect(await rows.set({ task: 't1' }, { holder: 'ann' }, { holder: null })).toBe(false);
    expect(await rows.remove({ task: 't1' }, { holder: 'ann' })).toBe(false);
  }
  expect(await table.rows(leases).find({ task: 't1' }, true)).toEqual({ task: 't1', holder: 'bob' });
});

test('an expired row is gone for readers, although the table removes it days later', async () => {
  const table = newOrganization(store.dynamo);
  const until = new Date(nowMs() + 60_000).toISOString();
  await table.rows(leases).put({ task: 't1', holder: 'ann', until });
  expect(await table.rows(leases).find({ task: 't1' })).toEqual({ task: 't1', holder: 'ann', until });
  const later = nowMs() + 62_000;
  setClock(() => later);
  expect(await table.rows(leases).find({ task: 't1' })).toBeUndefined();
  expect(await table.rows(leases).query('t1')).toEqual([]);
  expect(await table.rows(leases).put({ task: 't1', holder: 'bob' }, 'absent')).toBe(true);
});

test.each<[string, (table: Table, row: Lease) => Promise<unknown>]>([
  ['a put', (table, row) => table.rows(leases).put(row, 'absent')],
  ['a fill', (table, row) => table.rows(leases).fill(row, row)],
  ['a put of many', (table, row) => putRows(table, leases, [row])],
  [
    'a put in a transaction',
    (table, row) => committed(table, putWrite(table.tenant, leases, { row, expect: 'absent' })),
  ],
  [
    'a change in a transaction',
    (table, row) => {
      const { pk: _pk, sk: _sk, ...set } = stored(table.tenant, leases, row);
      return committed(table, { change: rowKey(table.tenant, leases, row), set });
    },
  ],
])(
  'a row whose end is over before %s is found for a day: else its writer would wait for what nobody sees',
  async (_, write) => {
    const table = newOrganization(store.dynamo);
    const row = { task: 't1', holder: 'ann', until: '2020-02-29T00:00:00.000Z' };
    await write(table, row);
    expect(await table.rows(leases).find({ task: 't1' }, true)).toEqual(row);
    const later = nowMs() + DAY_MS + 2_000;
    setClock(() => later);
    expect(await table.rows(leases).find({ task: 't1' }, true)).toBeUndefined();
  },
);

test('a single row is written, also while transactions hold it again and again', async () => {
  const table = newOrganization(store.dynamo);
  const dynamo = store.connect();
  injectFaults(dynamo, { random: dice(3), single: 0.7 });
  const busy = openTable(dynamo, table.organizationId);
  const rows = busy.rows(leases);
  expect(await rows.put({ task: 't1', holder: null }, 'absent')).toBe(true);
  expect(await rows.set({ task: 't1' }, { holder: 'ann' }, { holder: null })).toBe(true);
  expect(await rows.set({ task: 't1' }, { holder: 'ann' }, { holder: null })).toBe(false);
  await rows.fill({ task: 't1' }, { task: 't1', holder: 'bob', until: inSeconds(60) });
  expect(await table.rows(leases).find({ task: 't1' }, true)).toMatchObject({ holder: 'ann' });
  expect(await rows.remove({ task: 't1' }, { holder: 'ann' })).toBe(true);
  expect(await busy.reserve({ name: 'x', shards: 1 } as never, 3)).toHaveLength(3);
});

test('a write that meets others is repeated until the time of its request is nearly over, and no longer', async () => {
  const table = newOrganization(store.dynamo);
  const dynamo = store.connect();
  const end = injectFaults(dynamo, { random: () => 0, conflict: 1 });
  const batch = () => {
    const made = openTable(dynamo, table.organizationId).batch();
    made.write(putWrite(table.tenant, leases, { row: { task: 't1', holder: 'ann' } }));
    return made.commit();
  };
  const within = (seconds: number) => withinTime(lambdaContext('test', seconds), batch);
  const start = elapsedMs();
  await expect(within(4)).rejects.toThrow('TransactionCanceledException');
  expect(elapsedMs() - start).toBeLessThan(3_000);
  const long = within(29);
  await sleep(8_000);
  end();
  await long;
  expect(await table.rows(leases).find({ task: 't1' }, true)).toMatchObject({ holder: 'ann' });
});
