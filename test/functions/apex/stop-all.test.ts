import { expect, test } from 'vitest';
import { stopAll } from '#functions/workers/apex/stop-all.ts';
import { startRun } from '#shared/apex/start-run.ts';
import { inSeconds } from '#shared/clock.ts';
import { apexCampaigns } from '#shared/entities/apex-campaign.ts';
import { newTask, taskRows } from '#shared/jobs/task.ts';
import type { Table } from '#shared/table/table.ts';
import { makeCampaign, openEngagement } from '#test/support/apex.ts';
import { startSystem } from '#test/support/system.ts';

const system = startSystem();

test('a campaign that begins by its schedule while everything is being stopped is stopped too', async () => {
  const organization = await system.newOrganization();
  const { table, admin } = organization;
  const schedule = { startAt: inSeconds(3600) };
  const { id } = await makeCampaign(organization, await openEngagement(organization), { schedule });
  const task = newTask('test', { operation: 'stop_all_apex', job: 'apex', unit: 'tasks', input: {} });
  await table.rows(taskRows).put(task);
  let hasBegun = false;
  const list: Table['list'] = async (entity, query) => {
    const page = await table.list(entity, query);
    if (!hasBegun && entity.name === apexCampaigns.name) {
      hasBegun = true;
      await startRun(system.ports, table, id);
    }
    return page;
  };
  const result = await stopAll({ table: { ...table, list }, task, ports: system.ports });
  expect(result).toMatchObject({ campaigns: 1 });
  expect(await admin.ok('getCampaign', { params: { id } })).toMatchObject({ status: 'cancelled', currentRun: null });
});
