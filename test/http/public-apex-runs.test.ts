import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { openPools } from '#shared/scanning/scanner-tasks/pools.ts';
import { usages } from '#shared/scanning/scanner-tasks/usage.ts';
import { end, take, template } from '../support/apex.ts';
import { type SharedSystem, setPublic, startShared, templates } from '../support/public-apex.ts';
import type { TestMachine } from '../support/system.ts';
import { finished } from '../support/wait.ts';

let shared: SharedSystem;
beforeAll(async () => {
  shared = await startShared();
});
afterEach(() => {
  setClock();
  return shared.clear();
});
afterAll(() => shared.stop());

const session = ({ client }: TestMachine, more: object = {}) =>
  client.ok('updateApexSession', { body: { state: 'busy', ...more } });
const usageOf = (organizationId: string) =>
  openPools(shared.local.connections.dynamo).rows(usages).find({ groupId: 'public-apex', owner: organizationId }, true);

// first, because organizations keep their turn for a while after their last task
test('a public appliance asks soon while tasks wait in any organization, and rarely once none does', async () => {
  const { appliance } = await shared.newProvider();
  const poll = (capacity: number) => appliance.client.ok('leaseApexTasks', { body: { capacity } });
  const idle = await poll(1);
  expect(idle.pollAfterSeconds).toBeGreaterThanOrEqual(60);
  expect(idle.pollAfterSeconds).toBeLessThan(120);
  expect(await session(appliance, { state: 'idle' })).toMatchObject({ nextUpdateSeconds: 60 });
  await shared.newClient({ taskTemplates: templates(2) });
  const first = await poll(1);
  expect(first).toMatchObject({ tasks: [{}], pollAfterSeconds: 5 });
  expect(await session(appliance)).toMatchObject({ nextUpdateSeconds: 10 });
  setClock(() => Date.now() + 61_000);
  expect(await poll(0)).toMatchObject({ tasks: [], pollAfterSeconds: 15 });
  const second = await poll(1);
  expect(second.tasks).toHaveLength(1);
  for (const { id } of [...first.tasks, ...second.tasks]) await end(appliance, id);
  setClock(() => Date.now() + 122_000);
  // it finds the queue empty, and takes the organization's turn away
  expect(await poll(1)).toMatchObject({ tasks: [], pollAfterSeconds: 15 });
  setClock(() => Date.now() + 183_000);
  expect((await poll(1)).pollAfterSeconds).toBeGreaterThanOrEqual(60);
  expect(await session(appliance, { state: 'idle' })).toMatchObject({ nextUpdateSeconds: 60 });
});

describe('organizations that share public appliances', () => {
  test('are served in turn, whatever number and type of tasks each has queued', async () => {
    const { appliance } = await shared.newProvider();
    const many = await shared.newClient({
      taskTemplates: [...templates(8), template('w', { type: 'web_testing' }), template('r', { type: 'retest' })],
    });
    const few = await shared.newClient({ taskTemplates: templates(3) });
    const owners: string[] = [];
    for (let n = 0; n < 6; n++) {
      const [task] = await take(appliance, 1);
      owners.push(task?.campaignId === many.campaign.id ? 'many' : 'few');
      await end(appliance, task?.id ?? '');
    }
    for (const round of [owners.slice(0, 2), owners.slice(2, 4), owners.slice(4, 6)])
      expect(round.toSorted()).toEqual(['few', 'many']);
    expect(await few.read()).toMatchObject({ status: 'completed' });
  });

  test('get their most urgent tasks done first, of any type', async () => {
    const { appliance } = await shared.newProvider();
    await shared.newClient({
      taskTemplates: [
        template('low', { priority: 1 }),
        template('high', { priority: 9, type: 'web_testing' }),
        template('middle', { type: 'retest' }),
      ],
    });
    expect((await take(appliance, 1)).map(({ title }) => title)).toEqual(['high']);
    expect((await take(appliance, 2)).map(({ title }) => title)).toEqual(['middle', 'low']);
  });

  test('are served by appliances of few types despite other tasks ahead in the queue', async () => {
    const { newAppliance } = await shared.newProvider({ taskTypes: ['web_testing'] });
    const narrow = await newAppliance();
    await shared.newClient({ taskTemplates: templates(6, { priority: 9 }) });
    const { tasks } = await shared.newClient({
      taskTemplates: [template('a'), template('w', { type: 'web_testing', priority: 0 })],
    });
    expect((await take(narrow)).map(({ title }) => title)).toEqual(['w']);
    expect(await tasks()).toMatchObject([{ title: 'w' }, { waitingReason: 'no_appliance_for_type' }]);
  });

  test('have separate limits and see when theirs is reached', async () => {
    const { provider, appliance } = await shared.newProvider();
    const { client, tasks } = await shared.newClient({ taskTemplates: templates(2) });
    const [first] = await take(appliance, 1);
    expect(await usageOf(client.organizationId)).toMatchObject({ running: 1 });
    const rows = openPools(shared.local.connections.dynamo).rows(usages);
    const key = { groupId: 'public-apex', owner: client.organizationId };
    await rows.put({ ...key, running: 50 });
    expect(await take(appliance, 1)).toEqual([]);
    const shown = (await tasks()).find(({ status }) => status === 'pending');
    expect(shown).toMatchObject({ waitingReason: 'quota' });
    await rows.put({ ...key, running: 1 });
    expect(await take(appliance, 1)).toHaveLength(1);
    await end(appliance, first?.id ?? '');
    expect(await usageOf(client.organizationId)).toMatchObject({ running: 1 });
    expect(provider.organizationId).not.toBe(client.organizationId);
  });
});

describe('the client of a public appliance', () => {
  test('cancels a run: the appliance learns it with its next call and confirms', async () => {
    const { appliance } = await shared.newProvider();
    const { client, campaign, read } = await shared.newClient({ taskTemplates: templates(2) });
    const [task] = await take(appliance, 1);
    const running = [{ taskId: task?.id ?? '', progress: 0.5, step: 'looking' }];
    expect(await session(appliance, { running })).toMatchObject({ leases: [{ taskId: task?.id }], commands: [] });
    const params = { id: task?.id ?? '' };
    expect(await client.admin.ok('getApexTask', { params })).toMatchObject({ progress: { fraction: 0.5 } });
    await client.admin.ok('cancelCampaign', { params: { id: campaign.id } });
    expect(await session(appliance, { running })).toMatchObject({
      commands: [{ type: 'cancel', taskId: task?.id, reason: 'campaign_cancelled' }],
    });
    const { tasks, cancel } = await appliance.client.ok('leaseApexTasks', { body: { capacity: 5, running } });
    expect({ tasks, cancel }).toEqual({ tasks: [], cancel: [{ taskId: task?.id, reason: 'campaign_cancelled' }] });
    expect(await end(appliance, task?.id ?? '', 'cancelled')).toMatchObject({ accepted: true });
    expect(await read()).toMatchObject({ status: 'cancelled', tasks: { cancelled: 2 } });
    expect(await usageOf(client.organizationId)).toMatchObject({ running: 0 });
  });

  test('pauses and resumes a run, and stops everything', async () => {
    const { appliance } = await shared.newProvider();
    const { client, campaign, tasks } = await shared.newClient({ taskTemplates: templates(2) });
    const params = { id: campaign.id };
    const [task] = await take(appliance, 1);
    const running = [{ taskId: task?.id ?? '' }];
    await client.admin.ok('pauseCampaign', { params });
    expect(await session(appliance, { running })).toMatchObject({ commands: [{ type: 'pause', taskId: task?.id }] });
    expect(await take(appliance)).toEqual([]);
    await client.admin.ok('resumeCampaign', { params });
    expect(await session(appliance, { running })).toMatchObject({ commands: [{ type: 'resume', taskId: task?.id }] });
    expect(await take(appliance)).toHaveLength(1);
    await finished(client.admin, (await client.admin.ok('stopAllApex')).taskId);
    const { cancel } = await appliance.client.ok('leaseApexTasks', { body: { capacity: 5 } });
    expect(cancel).toHaveLength(2);
    for (const { taskId } of cancel) await end(appliance, taskId, 'cancelled');
    expect((await tasks()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });

  test('must approve exploitation before it is handed out', async () => {
    const { appliance } = await shared.newProvider();
    const { client, tasks } = await shared.newClient(
      { taskTemplates: [template('x', { type: 'exploitation' })] },
      true,
    );
    expect(await take(appliance)).toEqual([]);
    const [waiting] = await tasks();
    expect(waiting).toMatchObject({ waitingReason: 'approval' });
    const params = { id: waiting?.id ?? '' };
    await client.admin.ok('approveApexTask', { params });
    expect(await take(appliance)).toMatchObject([{ id: waiting?.id }]);
    await client.admin.ok('denyApexTask', { params, body: { reason: 'changed our mind' } });
    expect((await session(appliance)).commands).toMatchObject([{ type: 'deny', taskId: waiting?.id }]);
  });

  test('changes a waiting task, but not into one of its own appliances', async () => {
    const { appliance } = await shared.newProvider();
    const { client, tasks } = await shared.newClient({ taskTemplates: templates(2) });
    const own = await client.machine('apex');
    const [newest] = await tasks();
    const params = { id: newest?.id ?? '' };
    const refused = await client.admin.call('updateApexTask', { params, body: { applianceId: own.id } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'conflict' } });
    await client.admin.ok('updateApexTask', { params, body: { priority: 9 } });
    expect(await take(appliance, 1)).toMatchObject([{ id: newest?.id }]);
  });

  test('gets a task back when its lease ended or its appliance was removed', async () => {
    const { provider, staff, appliance, newAppliance } = await shared.newProvider();
    const { client, tasks } = await shared.newClient();
    const [task] = await take(appliance);
    await shared.endLeases(provider, appliance);
    expect(await tasks()).toMatchObject([{ status: 'pending', error: { code: 'lease_expired' }, providerId: null }]);
    expect(await end(appliance, task?.id ?? '')).toMatchObject({ accepted: false, code: 'not_held' });
    const next = await newAppliance();
    expect(await take(next)).toMatchObject([{ id: task?.id, attempt: 2 }]);
    await staff.ok('deletePublicAppliance', { params: { id: next.id } });
    expect(await tasks()).toMatchObject([{ status: 'pending', error: { code: 'appliance_removed' } }]);
    expect(await take(appliance)).toMatchObject([{ id: task?.id, attempt: 3 }]);
    expect(await usageOf(client.organizationId)).toMatchObject({ running: 1 });
  });

  test('sees the waiting reason of its tasks, computed over the appliances of all providers', async () => {
    const { tasks } = await shared.newClient();
    const reason = async () => (await tasks())[0]?.waitingReason;
    expect(await reason()).toBe('no_appliance');
    const { staff, newAppliance } = await shared.newProvider({ taskTypes: ['web_testing'] });
    expect(await reason()).toBe('no_appliance_for_type');
    const able = await newAppliance({ taskTypes: ['reconnaissance'] });
    expect(await reason()).toBe('all_offline');
    await able.client.ok('leaseApexTasks', { body: { capacity: 0 } });
    expect(await reason()).toBe(null);
    await staff.ok('updatePublicAppliance', { params: { id: able.id }, body: { enabled: false } });
    expect(await reason()).toBe('no_appliance_for_type');
    expect(await take(able)).toEqual([]);
    await staff.ok('updatePublicAppliance', { params: { id: able.id }, body: { enabled: true } });
    await setPublic(staff, able.id, false);
    expect(await reason()).toBe('no_appliance_for_type');
    await setPublic(staff, able.id);
    expect(await take(able)).toHaveLength(1);
  });
});
