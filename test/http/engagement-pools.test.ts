import { expect, test } from 'vitest';
import { create } from '../support/engagements.ts';
import { newPool } from '../support/pools.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();

/** Requests an engagement in a pool, which waits for a decision. */
const request = ({ admin }: TestOrganization, publicScannerGroupId: string, more: object = {}) =>
  create(admin, { publicScannerGroupId, targets: [{ type: 'host', value: '192.0.2.10' }], ...more });

test('an engagement whose pool was hidden before the approval fails together with its task and names the pool', async () => {
  const client = await system.newOrganization();
  const { staff, pool } = await newPool(system, [client]);
  const params = await request(client, pool.id);
  await staff.ok('updatePublicGroup', { params: { id: pool.id }, body: { organizationIds: [] } });
  await client.admin.ok('approveEngagement', { params });
  const read = () => client.admin.ok('getEngagement', { params });
  await expect.poll(async () => (await read()).status).toBe('failed');
  const { statusReason, lastRun } = await read();
  expect(statusReason).toContain(`Frankfurt (${pool.id})`);
  expect(lastRun).toMatchObject({ status: 'failed', statusReason });
  const task = { params: { id: lastRun?.taskId ?? '' }, query: { waitSeconds: 20 } };
  expect(await client.admin.ok('getTask', task)).toMatchObject({ status: 'failed', error: { message: statusReason } });
  expect((await client.admin.ok('listEngagementRuns', { params })).data).toMatchObject([
    { status: 'failed', statusReason },
  ]);
});

test('a recurring engagement whose pool was removed keeps its schedule and can be given another pool', async () => {
  const client = await system.newOrganization();
  const { staff, pool } = await newPool(system, [client]);
  const other = (await newPool(system, [client])).pool;
  const schedule = { recurrence: 'FREQ=DAILY', timeZone: 'UTC' };
  const params = await request(client, pool.id, { schedule });
  await staff.ok('deletePublicGroup', { params: { id: pool.id } });
  await client.admin.ok('approveEngagement', { params });
  const read = () => client.admin.ok('getEngagement', { params });
  await expect.poll(async () => (await read()).lastRun?.status).toBe('failed');
  const failed = await read();
  expect(failed).toMatchObject({ status: 'scheduled', nextRunAt: expect.any(String) });
  expect(failed.lastRun?.statusReason).toContain(pool.id);
  const body = { publicScannerGroupId: other.id };
  expect(await client.admin.ok('updateEngagement', { params, body })).toMatchObject({ publicScannerGroupId: other.id });
});
