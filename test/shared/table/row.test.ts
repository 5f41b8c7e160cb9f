import { afterEach, expect, test } from 'vitest';
import { nowMs, setClock } from '#shared/runtime/clock.ts';
import { defineRow } from '#shared/table/io/row.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { loseFirstAnswer } from '#test/support/faults.ts';
import { newOrganization, useStore } from '#test/support/store.ts';

const store = useStore();
afterEach(() => setClock());

type Lease = { task: string; holder: string | null; until?: string };
const leases = defineRow<Lease, { task: string }>({
  name: 'lease',
  about: 'who works on a task',
  key: ({ task }) => [task],
  expiresAt: ({ until }) => until,
});

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
