import { describe, expect, test } from 'vitest';
import { work } from '#functions/workers/sweeper/work.ts';
import { apexCampaignRuns } from '#shared/apex/apex-campaign.ts';
import { placedTimer } from '#shared/platform/timers/timers.ts';
import { diamond, end, makeCampaign, readCampaign, run, take, template, withAppliances } from '../support/apex.ts';
import { startSystem } from '../support/system.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();

const keysOf = (tasks: { title: string | null }[]) => tasks.map(({ title }) => title);

describe('a run', () => {
  test('hands out its tasks in the order of their dependencies, completes, and stays in the history', async () => {
    const { organization, admin, engagementId, appliance } = await withAppliances(system);
    const campaign = await makeCampaign(organization, engagementId, { taskTemplates: diamond });
    const named = async (search: string) =>
      (await organization.admin.ok('listCampaigns', { query: { search } })).data.map(({ id }) => id);
    expect([await named(campaign.name), await named('nowhere')]).toEqual([[campaign.id], []]);
    expect(campaign).toMatchObject({ status: 'draft', runs: 0, currentRun: null });
    const runId = await run(organization, campaign.id);
    expect(await readCampaign(organization, campaign.id)).toMatchObject({
      status: 'running',
      currentRun: { id: runId },
      tasks: { pending: 4 },
    });
    const again = await admin.call('runCampaign', { params: { id: campaign.id } });
    expect(again).toMatchObject({
      status: 400,
      body: { code: 'conflict', message: expect.stringContaining('running') },
    });

    const first = await take(appliance);
    expect(keysOf(first)).toEqual(['a']);
    await end(appliance, first[0]?.id ?? '');
    const second = await take(appliance);
    expect(keysOf(second).toSorted()).toEqual(['b', 'c']);
    await end(appliance, second[0]?.id ?? '');
    expect(await take(appliance)).toEqual([]);
    await end(appliance, second[1]?.id ?? '');
    const last = await take(appliance);
    expect(keysOf(last)).toEqual(['d']);
    await end(appliance, last[0]?.id ?? '');

    const tasks = { pending: 0, running: 0, completed: 4, failed: 0, cancelled: 0 };
    expect(await readCampaign(organization, campaign.id)).toMatchObject({
      status: 'completed',
      runs: 1,
      currentRun: null,
      tasks,
    });
    const { data } = await admin.ok('listCampaignRuns', { params: { id: campaign.id } });
    expect(data).toMatchObject([{ id: runId, status: 'completed', tasks }]);
    expect((await admin.ok('listApexTasks', { query: { runId } })).totalCount).toBe(4);

    await run(organization, campaign.id);
    expect(await readCampaign(organization, campaign.id)).toMatchObject({
      status: 'running',
      runs: 2,
      tasks: { pending: 4 },
    });
  });

  test('is refused for a campaign with circular dependencies, a missing key, too many tasks or no scope', async () => {
    const { organization, engagementId } = await withAppliances(system);
    const refusal = async (more: object) => {
      const body = { name: 'x', objective: 'x', engagementId, taskTemplates: [template('a')], ...more };
      const answer = await organization.admin.call('createCampaign', { body });
      return `${answer.status} ${Object(answer.body).message}`;
    };
    const circle = [template('a', { dependsOn: ['b'] }), template('b', { dependsOn: ['a'] })];
    expect(await refusal({ taskTemplates: circle })).toMatch(/^400 .*wait for each other/);
    expect(await refusal({ taskTemplates: [template('a', { dependsOn: ['z'] })] })).toMatch(/^400 .*no template z/);
    expect(await refusal({ taskTemplates: [template('a'), template('a')] })).toMatch(/^400 .*twice/);
    expect(await refusal({ taskTemplates: diamond, limits: { maxTasks: 3 } })).toMatch(/^400 .*maxTasks/);
    expect(await refusal({ taskTemplates: [template('a', { type: 'exploitation' })] })).toMatch(/^400 .*exploitation/);
    const targets = [{ type: 'host', value: '192.0.2.1' }];
    expect(await refusal({ taskTemplates: [template('a', { targets })] })).toMatch(/^400 .*scope/);
    expect((await organization.admin.ok('listCampaigns')).totalCount).toBe(0);
  });

  test('never runs more tasks at once than its limit, even when appliances poll simultaneously', async () => {
    const { organization, engagementId, machines } = await withAppliances(system, 3);
    const taskTemplates = Array.from({ length: 6 }, (_, n) => template(`t${n}`));
    const campaign = await makeCampaign(organization, engagementId, {
      taskTemplates,
      limits: { maxConcurrentTasks: 2 },
    });
    await run(organization, campaign.id);
    let done = 0;
    while (done < 6) {
      const taken = await Promise.all(machines.map((machine) => take(machine)));
      const { tasks } = await readCampaign(organization, campaign.id);
      expect(tasks.running).toBeLessThanOrEqual(2);
      const ends = machines.flatMap((machine, n) => (taken[n] ?? []).map(({ id }) => end(machine, id)));
      done += (await Promise.all(ends)).length;
    }
    expect(await readCampaign(organization, campaign.id)).toMatchObject({
      status: 'completed',
      tasks: { completed: 6 },
    });
  });

  test('starts once when two callers start it simultaneously', async () => {
    const { organization, admin, engagementId } = await withAppliances(system);
    const { id } = await makeCampaign(organization, engagementId);
    const answers = await Promise.all([1, 2, 3].map(() => admin.call('runCampaign', { params: { id } })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    expect((await admin.ok('listCampaignRuns', { params: { id } })).totalCount).toBe(1);
  });

  test('stops when a task fails, or continues without the dependent tasks, by the setting of the campaign', async () => {
    for (const [onTaskFailure, status] of [
      ['stop', 'failed'],
      ['continue', 'completed'],
    ] as const) {
      const { organization, engagementId, appliance } = await withAppliances(system);
      const taskTemplates = [
        template('a', { maxAttempts: 1, priority: 9 }),
        template('b', { dependsOn: ['a'] }),
        template('c'),
      ];
      const { id } = await makeCampaign(organization, engagementId, { taskTemplates, onTaskFailure });
      const runId = await run(organization, id);
      const tasks = await take(appliance);
      expect(keysOf(tasks)).toEqual(['a', 'c']);
      await end(appliance, tasks[0]?.id ?? '', 'failed');
      const { cancel } = await appliance.client.ok('leaseApexTasks', { body: { capacity: 0 } });
      expect(cancel.map(({ reason }) => reason)).toEqual(onTaskFailure === 'stop' ? ['campaign_stopped'] : []);
      await end(appliance, tasks[1]?.id ?? '', onTaskFailure === 'stop' ? 'cancelled' : 'completed');
      expect(await readCampaign(organization, id)).toMatchObject({ status });
      const { data } = await organization.admin.ok('listApexTasks', { query: { runId } });
      expect(data.find(({ title }) => title === 'b')).toMatchObject({ status: 'cancelled' });
    }
  });

  test('does not start when its appliance was removed: its task would wait for ever', async () => {
    const { organization, admin, engagementId, appliance } = await withAppliances(system);
    const { id } = await makeCampaign(organization, engagementId, { applianceIds: [appliance.id] });
    await admin.ok('deleteAppliance', { params: { id: appliance.id } });
    expect(await admin.call('runCampaign', { params: { id } })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: 'applianceIds' }] },
    });
    expect(await readCampaign(organization, id)).toMatchObject({ status: 'draft', runs: 0 });
  });

  test('fails with a reason when the scope no longer permits its tasks', async () => {
    const { organization, admin, engagementId, appliance } = await withAppliances(system);
    const inside = Array.from({ length: 5 }, (_, n) => template(`k${n}`));
    const { id } = await makeCampaign(organization, engagementId, {
      taskTemplates: [...inside, template('last', { targets: [{ type: 'host', value: '10.0.0.5' }] })],
    });
    const targets = [{ type: 'host' as const, value: 'shop.example.com' }];
    await admin.ok('updateEngagement', { params: { id: engagementId }, body: { targets } });
    const { taskId } = await admin.ok('runCampaign', { params: { id } });
    expect(await finished(admin, taskId)).toMatchObject({ status: 'failed', error: { code: 'validation_failed' } });
    expect(await readCampaign(organization, id)).toMatchObject({
      status: 'failed',
      statusReason: expect.stringContaining('scope'),
      currentRun: null,
      tasks: { pending: 0, running: 0 },
    });
    expect(await take(appliance)).toEqual([]);
    await admin.ok('updateCampaign', { params: { id }, body: { taskTemplates: inside } });
    await run(organization, id);
  });

  test('ends at its deadline', async () => {
    const { organization, engagementId, appliance } = await withAppliances(system);
    const taskTemplates = [template('a'), template('b', { dependsOn: ['a'] })];
    const limits = { maxDurationSeconds: 3600 };
    const { id } = await makeCampaign(organization, engagementId, { taskTemplates, limits });
    const runId = await run(organization, id);
    const [task] = await take(appliance);
    const { table, organizationId } = organization;
    await table.modify(apexCampaignRuns, runId, () => ({ deadlineAt: '2020-01-01T00:00:00.000Z' }));
    const timer = placedTimer({ at: 0, kind: 'apex-run', organizationId, id: runId });
    await work(system.connections, timer);
    expect(await readCampaign(organization, id)).toMatchObject({
      status: 'running',
      tasks: { running: 1, cancelled: 1 },
    });
    await end(appliance, task?.id ?? '', 'cancelled');
    expect(await readCampaign(organization, id)).toMatchObject({
      status: 'failed',
      statusReason: expect.stringContaining('longer'),
    });
  });

  test('hands out no task after its deadline, even before the sweeper ends it', async () => {
    const { organization, engagementId, appliance } = await withAppliances(system);
    const limits = { maxDurationSeconds: 3600 };
    const { id } = await makeCampaign(organization, engagementId, { taskTemplates: [template('a')], limits });
    const runId = await run(organization, id);
    await organization.table.modify(apexCampaignRuns, runId, () => ({ deadlineAt: '2020-01-01T00:00:00.000Z' }));
    expect(await take(appliance)).toEqual([]);
    expect(await readCampaign(organization, id)).toMatchObject({
      status: 'failed',
      tasks: { pending: 0, cancelled: 1 },
    });
  });

  test('starts at the time of its schedule', async () => {
    const { organization, engagementId, appliance } = await withAppliances(system);
    const startAt = '2099-01-01T00:00:00.000Z';
    const { id, status } = await makeCampaign(organization, engagementId, { schedule: { startAt } });
    expect(status).toBe('scheduled');
    const { organizationId } = organization;
    const timer = placedTimer({ at: Date.parse(startAt), kind: 'apex-start', organizationId, id });
    await work(system.connections, { ...timer, at: timer.at - 1 });
    expect(await readCampaign(organization, id)).toMatchObject({ status: 'scheduled' });
    await work(system.connections, timer);
    expect(await readCampaign(organization, id)).toMatchObject({ status: 'running', schedule: null });
    await until(
      () => take(appliance),
      (tasks) => tasks.length === 1,
    );
  });
});
