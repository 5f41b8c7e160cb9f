import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { end, makeCampaign, makeTask, openEngagement, run, take } from '../support/apex.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

describe('a change of an approved task', () => {
  test('needs another approval, for a change by any person', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const engagementId = await openEngagement(organization, true);
    const appliance = await organization.machine('apex');
    const analyst = await organization.withRole('analyst');
    const task = await makeTask(organization, engagementId, {
      type: 'exploitation',
      targets: [{ type: 'host', value: '10.0.0.1' }],
    });
    const at = { params: { id: task.id } };
    for (const body of [
      { targets: [{ type: 'host' as const, value: '10.0.0.2', zone: null }] },
      { objective: 'Something else.' },
      { parameters: { module: 'other' } },
      { limits: { maxTokens: 1_000_000, timeoutSeconds: null } },
      { applianceId: appliance.id },
    ]) {
      await admin.ok('approveApexTask', at);
      expect(await analyst.ok('updateApexTask', { ...at, body })).toMatchObject({
        approvedBy: null,
        released: false,
        waitingReason: 'approval',
      });
      expect(await take(appliance)).toEqual([]);
    }
    await admin.ok('approveApexTask', at);
    await analyst.ok('updateApexTask', { ...at, body: { title: 'Renamed', priority: 9 } });
    expect((await take(appliance)).map(({ id }) => id)).toEqual([task.id]);
  });

  test('needs another approval also in a campaign', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const engagementId = await openEngagement(organization, true);
    const appliance = await organization.machine('apex');
    const { id } = await makeCampaign(organization, engagementId, {
      taskTemplates: [{ key: 'break-in', type: 'lateral_movement' }],
    });
    await run(organization, id);
    const [task] = (await admin.ok('listApexTasks', { query: { campaignId: id } })).data;
    const at = { params: { id: task?.id ?? '' } };
    expect(await admin.ok('approveApexTask', at)).toMatchObject({ released: true });
    const changed = await admin.ok('updateApexTask', { ...at, body: { objective: 'Something else.' } });
    expect(changed).toMatchObject({ approvedBy: null, waitingReason: 'approval' });
    expect(await take(appliance)).toEqual([]);
    await admin.ok('approveApexTask', at);
    expect(await take(appliance)).toHaveLength(1);
  });
});

test('a task can be changed even if its waiting reason has changed since it was read', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const task = await makeTask(organization, await openEngagement(organization));
  expect(task).toMatchObject({ waitingReason: 'no_appliance' });
  const appliance = await organization.machine('apex');
  await take(appliance, 0);
  const body = { ...task, priority: 9 };
  expect(await admin.ok('updateApexTask', { params: { id: task.id }, body })).toMatchObject({
    priority: 9,
    waitingReason: null,
  });
});

test('a task that waits for a window continues when the windows of its engagement are changed', async () => {
  const organization = await system.newOrganization();
  const engagementId = await openEngagement(organization);
  const appliance = await organization.machine('apex');
  const inTwoDays = DAYS[new Date(Date.now() + 2 * 86_400_000).getUTCDay()] ?? 'sun';
  const change = (windows: { days: (typeof DAYS)[number][]; from: string; to: string; timeZone: string }[]) =>
    organization.admin.ok('updateEngagement', { params: { id: engagementId }, body: { windows } });
  const window = { days: [inTwoDays], from: '02:00', to: '03:00', timeZone: 'UTC' };
  for (const windows of [[], [{ ...window, days: [...DAYS], from: '00:00', to: '24:00' }]]) {
    await change([window]);
    const task = await makeTask(organization, engagementId);
    expect(await take(appliance)).toEqual([]);
    expect(await organization.admin.ok('getApexTask', { params: { id: task.id } })).toMatchObject({
      waitingReason: 'outside_window',
    });
    await change(windows);
    await sweep(system.connections);
    expect((await take(appliance)).map(({ id }) => id)).toEqual([task.id]);
  }
});

test('one of two simultaneous changes that would make tasks wait for each other is refused', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const engagementId = await openEngagement(organization);
  const waitFor = (id: string, other: string) =>
    admin.call('updateApexTask', { params: { id }, body: { dependsOn: [other] } });
  for (let round = 0; round < 5; round++) {
    const one = await makeTask(organization, engagementId);
    const two = await makeTask(organization, engagementId);
    const answers = await Promise.all([waitFor(one.id, two.id), waitFor(two.id, one.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({ details: [{ path: 'dependsOn' }] });
  }
});

test('tasks that would wait for each other are refused, because none would ever run', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const engagementId = await openEngagement(organization);
  const first = await makeTask(organization, engagementId);
  const second = await makeTask(organization, engagementId, { dependsOn: [first.id] });
  const third = await makeTask(organization, engagementId, { dependsOn: [second.id] });
  for (const dependsOn of [[first.id], [second.id], [third.id]])
    expect(await admin.call('updateApexTask', { params: { id: first.id }, body: { dependsOn } })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: 'dependsOn' }] },
    });
  const appliance = await organization.machine('apex');
  expect((await take(appliance)).map(({ id }) => id)).toEqual([first.id]);
});

test('a task on which another depends cannot be deleted', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const engagementId = await openEngagement(organization);
  const appliance = await organization.machine('apex');
  const [one, other] = [await makeTask(organization, engagementId), await makeTask(organization, engagementId)];
  const waiting = await makeTask(organization, engagementId, { dependsOn: [one.id, other.id] });
  await take(appliance);
  await end(appliance, one.id);
  expect(await admin.call('deleteApexTask', { params: { id: one.id } })).toMatchObject({
    status: 400,
    body: { code: 'conflict', details: [{ path: 'dependsOn', message: expect.stringContaining(waiting.id) }] },
  });
  await end(appliance, other.id);
  expect((await take(appliance)).map(({ id }) => id)).toEqual([waiting.id]);
  await admin.ok('deleteApexTask', { params: { id: one.id } });
});
