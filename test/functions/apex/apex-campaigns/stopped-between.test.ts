import { expect, test } from 'vitest';
import { createCampaign } from '#functions/apex/apex-campaigns/change.ts';
import { pollAsAppliance } from '#functions/apex/apex-communication/poll.ts';
import { createTask } from '#functions/apex/apex-tasks/change.ts';
import { approveTask } from '#functions/apex/apex-tasks/decide.ts';
import { apexAppliances } from '#shared/apex/apex-appliance.ts';
import { ApexCampaignCreate, apexCampaignRuns, apexCampaigns } from '#shared/apex/apex-campaign.ts';
import { ApexTaskCreate, apexTasks } from '#shared/apex/apex-task.ts';
import { cancelCampaign, failRun, setPaused } from '#shared/apex/campaign.ts';
import { readApexPresence } from '#shared/apex/presence.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { startRun } from '#shared/apex/start-run.ts';
import { cancelTask } from '#shared/apex/stop.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { applianceDraft } from '../../../support/apex.ts';
import { injectFaults } from '../../../support/faults.ts';
import { workRun } from '../../../support/random-appliances.ts';
import { newWorld, stopClock } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';
import { expectExact } from '../../../support/verify.ts';

const store = useStore();

const page = { paginateFrom: 0, paginateSize: 50 };
const type = 'reconnaissance';

/** A campaign of which an appliance works one task, one is free to be taken, and one waits for the first. */
async function setUp() {
  const world = newWorld(store.dynamo);
  const { table, connections } = world;
  const { id: engagementId } = await world.engage(['10.0.0.1']);
  const taskTemplates = [
    { key: 'a', type },
    { key: 'b', type },
    { key: 'c', type, dependsOn: ['a'] },
  ];
  const wish = { name: 'x', objective: 'x', engagementId, taskTemplates };
  const campaign = await createCampaign(table, ApexCampaignCreate.parse(wish));
  const { taskId, resource } = await startRun({ connections, table }, campaign.id);
  await workRun({ connections, table }, taskId);
  const { id: applianceId } = await table.create(apexAppliances, applianceDraft);
  const ask = (capacity: number) => pollAsAppliance(table, { machineId: applianceId, body: { capacity } });
  const { tasks } = await ask(1);
  const statuses = async () => (await table.list(apexTasks, page)).data.map(({ status }) => status).toSorted();
  const lease = async () => (await readApexPresence(table, applianceId))?.leases[tasks[0]?.id ?? ''];
  return { ...world, campaignId: campaign.id, runId: resource?.id ?? '', ask, statuses, lease };
}

/** Does it on a connection that breaks before the given write, and for good. */
async function stopBefore(write: number, table: Table, act: (table: Table) => Promise<unknown>): Promise<void> {
  const dynamo = store.connect();
  let writes = 0;
  const before = (command: string) => {
    if (/^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(command) && ++writes >= write)
      throw new Error('the function was stopped');
  };
  injectFaults(dynamo, { random: () => 1, before });
  await act(openTable(dynamo, table.organizationId)).catch(() => undefined);
}

test.each<[string, (table: Table, ids: { campaignId: string; runId: string }) => Promise<unknown>]>([
  ['is cancelled', (table, { campaignId }) => cancelCampaign(table, campaignId)],
  ['fails', (table, { runId }) => failRun(table, runId, 'One of its tasks lies outside of its scope.')],
])('when a campaign %s, nothing of it waits or runs on for ever, wherever that broke off', async (_, act) => {
  for (let write = 2; write <= 5; write++) {
    const clock = stopClock();
    const world = await setUp();
    await stopBefore(write, world.table, (table) => act(table, world));
    clock.pass(601);
    await world.ask(0);
    await world.sweep();
    expect(await world.statuses()).toEqual(['cancelled', 'cancelled', 'running']);
    expect(await world.lease()).toHaveProperty('cancel');
    await expectExact(world.table, [apexTasks, apexCampaigns, apexCampaignRuns, apexAppliances]);
  }
});

test('an appliance learns that its campaign was paused or resumed, wherever the change was interrupted', async () => {
  const clock = stopClock();
  const world = await setUp();
  for (const isPaused of [true, false]) {
    await stopBefore(2, world.table, (table) => setPaused(table, world.campaignId, isPaused));
    clock.pass(601);
    await world.ask(0);
    await world.sweep();
    expect((await world.lease())?.isPaused ?? false).toBe(isPaused);
  }
  expect((await world.ask(1)).tasks).toHaveLength(1);
});

test('a run whose worker met too many conflicts has not failed: the next delivery makes its tasks', async () => {
  const { table, connections, engage } = newWorld(store.dynamo);
  const { id: engagementId } = await engage(['10.0.0.1']);
  const wish = { name: 'x', objective: 'x', engagementId, taskTemplates: [{ key: 'a', type }] };
  const { id } = await createCampaign(table, ApexCampaignCreate.parse(wish));
  const { taskId, resource } = await startRun({ connections, table }, id);
  const busy: Table = { ...table, update: () => Promise.reject(new Overtaken({})) };
  await expect(workRun({ connections, table: busy }, taskId)).rejects.toMatchObject({ code: 'conflict' });
  await workRun({ connections, table }, taskId);
  expect(await table.get(apexCampaignRuns, resource?.id ?? '', true)).toMatchObject({ status: 'running', made: true });
  expect((await table.list(apexTasks, page)).data).toMatchObject([{ status: 'pending', released: true }]);
});

test('waiting and approved tasks continue automatically, wherever the step before was interrupted', async () => {
  for (let write = 2; write <= 4; write++) {
    const clock = stopClock();
    const { table, sweep, engage } = newWorld(store.dynamo);
    const { id: engagementId } = await engage(['10.0.0.1']);
    const make = (more: object) =>
      createTask(table, ApexTaskCreate.parse({ engagementId, type, objective: 'x', ...more }));
    const first = await make({});
    const second = await make({ dependsOn: [first.id] });
    await make({ dependsOn: [second.id] });
    const held = await make({ approval: 'required' });
    await make({ dependsOn: [held.id] });
    clock.pass(601);
    await sweep();
    const end = async (to: Table) => settleTasks(to, [await cancelTask(to, first.id)]);
    await stopBefore(write, table, end);
    await stopBefore(2, table, (to) => approveTask(to, held.id, { body: {}, ifMatch: undefined }));
    clock.pass(601);
    await sweep();
    const { data } = await table.list(apexTasks, { ...page, parent: { engagement: engagementId } });
    const current = data.map(({ status, released, waitingReason }) => [status, released ? 'released' : waitingReason]);
    expect(current.toSorted()).toEqual([
      ['cancelled', null],
      ['cancelled', null],
      ['cancelled', null],
      ['pending', 'dependencies'],
      ['pending', 'released'],
    ]);
    await expectExact(table, [apexTasks]);
  }
});
