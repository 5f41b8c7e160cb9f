import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { listAudit } from '#functions/platform/changes/audit.ts';
import { changeHandlers } from '#functions/platform/changes/handlers.ts';
import { work } from '#functions/workers/sweeper/work.ts';
import { lastMoved, moveOldSheets, readMoved } from '#shared/platform/feed/archive.ts';
import { cursors, follow } from '#shared/platform/feed/consumer.ts';
import { announcedIn, EMPTY_LOG, sheets, sheetsAfter } from '#shared/platform/feed/log.ts';
import { verifyLog } from '#shared/platform/feed/verify.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { injectFaults } from '../../../support/faults.ts';
import { fakeConnections } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { timersOf } from '../../../support/timers.ts';
import { ticketsWith } from '../table/models.ts';
import { draftOf, noting, numberAll } from './world.ts';

const store = useStore();
const tickets = ticketsWith('ticket');
afterEach(() => setClock());

const DAY = 86_400_000;
const start = Date.parse('2026-01-15T08:00:00Z');
const goTo = (days: number, seconds = 0) => setClock(() => start + days * DAY + seconds * 1000);

/** A log with a sheet of one change for each of these days, seen on day 451. */
async function logOf(days: readonly number[]) {
  const table = newOrganization(store.dynamo);
  for (const day of days) {
    goTo(day);
    await table.create(tickets, draftOf(1));
    goTo(day, 10);
    await numberAll(table);
  }
  goTo(451);
  const { connections, objects } = fakeConnections(store.dynamo);
  return { table, connections, objects };
}

const firstsIn = async (table: Table) => (await table.rows(sheets).query('all')).map(({ first }) => first);

const moves = async (table: Table) => (await timersOf(table)).filter(({ kind }) => kind === 'change-log');

test('changes of more than 400 days ago leave the table, and the check of the log still covers them', async () => {
  const { table, connections, objects } = await logOf([0, 1, 2, 3, 450]);
  const where = { table, connections };
  const before = await verifyLog(where);
  expect(before).toMatchObject({ broken: null, at: { next: 6 } });
  const [due, ...others] = await moves(table);
  expect({ at: due?.at, others }).toEqual({ at: start + 400 * DAY + 10_000, others: [] });
  if (due) await work(connections, due);
  expect(await firstsIn(table)).toEqual([5]);
  expect(objects.size).toBe(1);
  expect(await verifyLog(where)).toEqual(before);
  expect((await moves(table)).map(({ at }) => at)).toEqual([start + 850 * DAY + 10_000]);
});

test('readers of the log learn where it begins, and none skips changes that left the table', async () => {
  const { table, connections } = await logOf([0, 1, 2, 3, 450]);
  await follow(
    table,
    'early',
    noting(table, 'early', (n) => n),
  );
  await table.rows(cursors).put({ consumer: 'late', seen: 2 });
  await moveOldSheets({ table, connections });
  const listed = await listAudit({ table, query: { limit: 100 } } as never);
  expect(listed).toMatchObject({ data: [{ number: 5 }], next: null, listedSince: '2026-03-07T08:00:00.000Z' });
  const caller = { kind: 'service_account', role: 'viewer', id: '', name: '', organizationId: '' } as const;
  const changesSince = (since: number) =>
    changeHandlers.listChanges({ table, caller, query: { since, limit: 9 } } as never);
  expect(await changesSince(0)).toMatchObject({ next: 5, more: false });
  expect(await changesSince(4)).toMatchObject({ next: 5, more: false });
  await expect(changesSince(3)).rejects.toThrow('since: must be at least 4, or 0');
  await expect(
    follow(
      table,
      'late',
      noting(table, 'late', (n) => n),
    ),
  ).rejects.toThrow('from number 3 on');
  await follow(
    table,
    'early',
    noting(table, 'early', (n) => n),
  );
});

class Killed extends Error {}

test('a worker killed before any of its requests loses no change and leaves none twice', async () => {
  for (let kill = 1; ; kill++) {
    const { table, connections } = await logOf([0, 1, 449, 450]);
    let left = kill;
    const before = () => {
      if (--left <= 0) throw new Killed();
    };
    const dynamo = store.connect();
    injectFaults(dynamo, { random: () => 1, before });
    const put: typeof connections.bucket.put = async (...object) => {
      before();
      return connections.bucket.put(...object);
    };
    const where = {
      table: openTable(dynamo, table.organizationId),
      connections: { bucket: { ...connections.bucket, put } },
    };
    const wasKilled = await moveOldSheets(where).then(
      () => false,
      (error: unknown) => error instanceof Killed,
    );
    await moveOldSheets({ table, connections });
    const moved = await readMoved({ table, connections }, 1);
    const told = [...moved, ...(await sheetsAfter(table, await lastMoved(table), 100))].flatMap(announcedIn);
    expect(told.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(await verifyLog({ table, connections })).toMatchObject({ broken: null });
    if (!wasKilled) {
      expect(kill).toBeGreaterThan(8);
      return;
    }
  }
});

test('an interrupted check continues after the checked part, also when that part was moved since', async () => {
  const { table, connections } = await logOf([0, 1, 2, 3, 450]);
  const where = { table, connections };
  const [, second] = await table.rows(sheets).query('all');
  const from = { next: 3, last: 2, hash: second?.hash ?? '' };
  expect(await verifyLog(where, EMPTY_LOG, () => true)).toMatchObject({ at: EMPTY_LOG, broken: undefined });
  const undisturbed = await verifyLog(where, from);
  expect(undisturbed).toMatchObject({ broken: null, at: { next: 6 } });
  await moveOldSheets(where);
  expect(await verifyLog(where, from)).toEqual(undisturbed);
});

test.each<[string, number, (objects: Map<string, string | Uint8Array>, key: string) => void]>([
  ['removed', 1, (objects, key) => objects.delete(key)],
  ['damaged', 1, (objects, key) => objects.set(key, '[{')],
  [
    'altered',
    2,
    (objects, key) => {
      const [first, second, ...more] = JSON.parse(String(objects.get(key)));
      objects.set(key, JSON.stringify([first, { ...second, at: '2020-01-01T00:00:00.000Z' }, ...more]));
    },
  ],
])('moved changes that somebody %s are found', async (_, broken, attack) => {
  const { table, connections, objects } = await logOf([0, 1, 2, 3, 450]);
  await moveOldSheets({ table, connections });
  attack(objects, [...objects.keys()][0] ?? '');
  expect(await verifyLog({ table, connections })).toMatchObject({ broken });
});

test('a sheet that cannot be read any more is found instead of failing the check', async () => {
  const { table, connections } = await logOf([448, 449, 450]);
  const { client, tableName: TableName } = table.dynamo;
  const change = { UpdateExpression: 'SET z = :z', ExpressionAttributeValues: { ':z': Buffer.from('nonsense') } };
  await client.send(new UpdateCommand({ TableName, Key: rowKey(table.tenant, sheets, { first: 2 }), ...change }));
  expect(await verifyLog({ table, connections })).toMatchObject({ broken: 2 });
});
