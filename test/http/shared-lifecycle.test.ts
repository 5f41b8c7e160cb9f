import { expect, test } from 'vitest';
import { engageInPool, newPool, takeTasks } from '../support/pools.ts';
import { startSystem, type TestMachine, type TestOrganization } from '../support/system.ts';

const system = startSystem();

const end = async ({ client }: TestMachine, taskId: string, outcome: 'completed' | 'failed' | 'cancelled') =>
  (await client.ok('completeScannerTasks', { body: { results: [{ taskId, outcome, reports: [] }] } })).results[0];

const statuses = async ({ admin }: TestOrganization) =>
  (await admin.ok('listScannerTasks')).data.map(({ status }) => status).sort();

test("a pool can be removed after a client's engagement was cancelled", async () => {
  const client = await system.newOrganization();
  const { staff, pool, scanner } = await newPool(system, [client]);
  const id = await engageInPool(client, pool.id, { values: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] });
  const [held] = await takeTasks(scanner, 1);
  await client.admin.ok('cancelEngagement', { params: { id }, body: {} });
  await expect.poll(() => statuses(client)).toEqual(['cancelled', 'cancelled', 'running']);
  const polled = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 5 } });
  expect(polled).toMatchObject({ tasks: [], cancel: [{ taskId: held?.id }] });
  expect(await end(scanner, held?.id ?? '', 'cancelled')).toMatchObject({ accepted: true });
  expect(await statuses(client)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(await client.admin.ok('getEngagement', { params: { id } })).toMatchObject({ status: 'cancelled' });
  expect(await staff.ok('deletePublicGroup', { params: { id: pool.id } })).toMatchObject({ id: pool.id });
});

test('a pool without scanners can be removed once no task waits for it', async () => {
  const client = await system.newOrganization();
  const { staff, pool, scanner } = await newPool(system, [client]);
  const params = { id: pool.id };
  const id = await engageInPool(client, pool.id);
  await staff.ok('deletePublicScanner', { params: { id: scanner.id } });
  expect(await staff.call('deletePublicGroup', { params })).toMatchObject({
    status: 400,
    body: { code: 'conflict', details: [{ path: 'organizations', message: 'waiting tasks of 1 organizations' }] },
  });
  await client.admin.ok('cancelEngagement', { params: { id }, body: {} });
  await expect.poll(() => statuses(client)).toEqual(['cancelled']);
  expect(await staff.ok('deletePublicGroup', { params })).toMatchObject(params);
});

test("a pool cannot be removed while a client's tasks wait for a window, because they would wait for ever", async () => {
  const client = await system.newOrganization();
  const { staff, pool } = await newPool(system, [client]);
  const params = { id: pool.id };
  const inThreeDays = new Date(Date.now() + 3 * 86_400_000).getUTCDay();
  const day = (['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const)[inThreeDays] ?? 'sun';
  const windows = [{ days: [day], from: '02:00', to: '03:00', timeZone: 'UTC' }];
  const id = await engageInPool(client, pool.id, { more: { windows } });
  expect(await client.admin.ok('listScannerTasks')).toMatchObject({ data: [{ waitingReason: 'outside_window' }] });
  expect(await staff.call('deletePublicGroup', { params })).toMatchObject({
    status: 400,
    body: { code: 'conflict', details: [{ path: 'organizations', message: 'waiting tasks of 1 organizations' }] },
  });
  await client.admin.ok('cancelEngagement', { params: { id }, body: {} });
  await expect.poll(() => statuses(client)).toEqual(['cancelled']);
  expect(await staff.ok('deletePublicGroup', { params })).toMatchObject(params);
});

test("a shared scanner that is removed gives its client's tasks to the others of the pool", async () => {
  const client = await system.newOrganization();
  const { provider, staff, pool, scanner } = await newPool(system, [client]);
  const colleague = await provider.scanner({ group: pool.id });
  await engageInPool(client, pool.id);
  const [task] = await takeTasks(scanner);
  await staff.ok('deletePublicScanner', { params: { id: scanner.id } });
  const [waiting] = (await client.admin.ok('listScannerTasks')).data;
  expect(waiting).toMatchObject({ status: 'pending', scanner: null, error: { code: 'scanner_removed' } });
  expect(await takeTasks(colleague)).toMatchObject([{ id: task?.id, attempt: 2 }]);
  expect(await end(colleague, task?.id ?? '', 'completed')).toMatchObject({ accepted: true });
  expect(await statuses(client)).toEqual(['completed']);
});

test("a scanner that leaves its pool finishes the client's tasks and gets no new ones", async () => {
  const client = await system.newOrganization();
  const { staff, pool, scanner } = await newPool(system, [client]);
  await engageInPool(client, pool.id, { values: ['192.0.2.1', '192.0.2.2'] });
  const [task] = await takeTasks(scanner, 1);
  await staff.ok('updatePublicGroup', { params: { id: pool.id }, body: { scannerIds: [] } });
  const running = [{ taskId: task?.id ?? '', progress: 0.5 }];
  const polled = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 5, running } });
  expect(polled).toMatchObject({ tasks: [], lost: [], cancel: [] });
  expect(await end(scanner, task?.id ?? '', 'completed')).toMatchObject({ accepted: true });
  expect(await statuses(client)).toEqual(['completed', 'pending']);
});

test("a task that no shared scanner can do fails the client's engagement after its attempts", async () => {
  const client = await system.newOrganization();
  const { pool, scanner } = await newPool(system, [client]);
  const id = await engageInPool(client, pool.id);
  for (let attempt = 1; attempt <= 3; attempt++) {
    const [task] = await takeTasks(scanner);
    expect(task).toMatchObject({ attempt });
    expect(await end(scanner, task?.id ?? '', 'failed')).toMatchObject({ accepted: true });
  }
  expect(await takeTasks(scanner)).toEqual([]);
  expect(await client.admin.ok('getEngagement', { params: { id } })).toMatchObject({
    status: 'failed',
    tasks: { failed: 1 },
    lastRun: { status: 'failed' },
  });
});

test('a pool that prefers the least loaded leaves what waits to the others once a scanner has more than its part', async () => {
  const client = await system.newOrganization();
  const { provider, pool, scanner } = await newPool(system, [client], { dispatch: 'least_loaded' });
  const other = await provider.scanner({ group: pool.id });
  for (const one of [scanner, other]) expect(await takeTasks(one, 0)).toEqual([]);
  const values = Array.from({ length: 8 }, (_, n) => `192.0.2.${n + 1}`);
  await engageInPool(client, pool.id, { values });
  expect(await takeTasks(scanner, 4)).toHaveLength(4);
  expect(await takeTasks(scanner, 4)).toHaveLength(1);
  expect(await takeTasks(other, 4)).toHaveLength(3);
});
