import { afterEach, expect, test } from 'vitest';
import { stopAll } from '#functions/workers/apex/stop-all.ts';
import { apexCampaigns } from '#shared/apex/apex-campaign.ts';
import { startRun } from '#shared/apex/start-run.ts';
import { newTask, taskRows } from '#shared/platform/jobs/task.ts';
import { inSeconds, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { actor } from '../../../support/actor.ts';
import { makeCampaign, makeTask, openEngagement, run, take } from '../../../support/apex.ts';
import { startSystem } from '../../../support/system.ts';
import { until } from '../../../support/wait.ts';

const system = startSystem();
afterEach(() => setClock());

test('a campaign that begins by its schedule while everything is being stopped is stopped too', async () => {
  const organization = await system.newOrganization();
  const { table, admin } = organization;
  const schedule = { startAt: inSeconds(3600) };
  const { id } = await makeCampaign(organization, await openEngagement(organization), { schedule });
  const task = newTask(actor(), { operation: 'stop_all_apex', job: 'apex', unit: 'tasks', input: {} });
  await table.rows(taskRows).put(task);
  let hasBegun = false;
  const list: Table['list'] = async (entity, query) => {
    const page = await table.list(entity, query);
    if (!hasBegun && entity.name === apexCampaigns.name) {
      hasBegun = true;
      await startRun({ connections: system.connections, table }, id);
    }
    return page;
  };
  const result = await stopAll({ table: { ...table, list }, task, connections: system.connections }, {});
  expect(result).toMatchObject({ campaigns: 1 });
  expect(await admin.ok('getCampaign', { params: { id } })).toMatchObject({ status: 'cancelled', currentRun: null });
});

test('work beyond one message is stopped by the next message, running tasks before waiting ones', async () => {
  const organization = await system.newOrganization();
  const { table, admin } = organization;
  const engagementId = await openEngagement(organization);
  const appliance = await organization.machine('apex');
  await makeTask(organization, engagementId, { priority: 9 });
  await take(appliance, 1);
  for (let n = 0; n < 9; n++) await makeTask(organization, engagementId);
  const { id } = await makeCampaign(organization, engagementId);
  await run(organization, id);
  const task = newTask(actor(), {
    operation: 'stop_all_apex',
    job: 'apex',
    unit: 'tasks',
    input: { work: 'stop-all' },
  });
  await table.rows(taskRows).put(task);
  const start = nowMs();
  let reads = 0;
  const list: Table['list'] = async (entity, query) => {
    const page = await table.list(entity, query);
    if (++reads === 3) setClock(() => start + 120_000);
    return page;
  };
  expect(await stopAll({ table: { ...table, list }, task, connections: system.connections }, {})).toBeUndefined();
  setClock();
  expect(await admin.ok('listApexTasks', { query: { status: 'running' } })).toMatchObject({
    data: [{ cancelRequestedAt: expect.any(String) }],
  });
  const { result } = await until(
    async () => (await table.rows(taskRows).find({ id: task.id }, true)) ?? task,
    ({ status }) => status === 'succeeded',
  );
  expect(result).toEqual({ campaigns: 1, tasks: 11 });
  expect(await admin.ok('listApexTasks', { query: { status: 'pending' } })).toMatchObject({ totalCount: 0 });
});
