import { afterEach, describe, expect, test } from 'vitest';
import { makeRun } from '#functions/workers/apex/make-run.ts';
import { endWork } from '#functions/workers/engagements/end-work.ts';
import { startRun } from '#shared/apex/start-run.ts';
import { type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { inSeconds, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { engagementTask } from '#shared/scanning/engagement-tasks/task.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { actor } from '../support/actor.ts';
import { end, makeCampaign, makeTask, openEngagement, readCampaign, run, take } from '../support/apex.ts';
import { startSystem, type TestMachine, type TestOrganization } from '../support/system.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
afterEach(() => setClock());

const poll = ({ client }: TestMachine) => client.ok('leaseApexTasks', { body: { capacity: 0 } });
const session = ({ client }: TestMachine) => client.ok('updateApexSession', { body: { state: 'busy' } });
const task = ({ admin }: TestOrganization, id: string) => admin.ok('getApexTask', { params: { id } });

const taskTemplates = [
  { key: 'a', type: 'reconnaissance' as const, priority: 9 },
  { key: 'b', type: 'reconnaissance' as const, dependsOn: ['a'] },
];

/**
 * A campaign of each open status, and tasks without a campaign: one running, one waiting, one waiting for another task.
 */
async function workIn(organization: TestOrganization, engagementId: string) {
  const appliance = await organization.machine('apex');
  const { id: running } = await makeCampaign(organization, engagementId, { taskTemplates });
  await run(organization, running);
  const [inRun] = await take(appliance);
  const { id: paused } = await makeCampaign(organization, engagementId, { taskTemplates });
  await run(organization, paused);
  await organization.admin.ok('pauseCampaign', { params: { id: paused } });
  const schedule = { startAt: inSeconds(3600), recurrence: 'FREQ=DAILY' };
  const { id: scheduled } = await makeCampaign(organization, engagementId, { schedule });
  const held = await makeTask(organization, engagementId);
  await take(appliance);
  const waiting = await makeTask(organization, engagementId);
  const dependent = await makeTask(organization, engagementId, { dependsOn: [held.id] });
  return {
    appliance,
    campaigns: [running, paused, scheduled],
    held: [inRun?.id ?? '', held.id],
    waiting: [waiting.id, dependent.id],
  };
}

type Under = Awaited<ReturnType<typeof workIn>>;

async function expectEnded(
  organization: TestOrganization,
  { appliance, campaigns, held, waiting }: Under,
  was: string,
) {
  const { cancel } = await until(
    () => poll(appliance),
    (answer) => answer.cancel.length === 2,
  );
  expect(cancel.map(({ taskId }) => taskId).toSorted()).toEqual(held.toSorted());
  expect((await session(appliance)).commands.map(({ type, taskId }) => `${type} ${taskId}`).toSorted()).toEqual(
    held.map((id) => `cancel ${id}`).toSorted(),
  );
  for (const id of campaigns)
    expect(await readCampaign(organization, id)).toMatchObject({
      status: 'cancelled',
      statusReason: `Its engagement was ${was}.`,
      schedule: null,
      nextRunAt: null,
      tasks: { pending: 0 },
    });
  for (const id of waiting) await expect.poll(async () => (await task(organization, id)).status).toBe('cancelled');
  expect(await take(appliance)).toEqual([]);
  for (const id of held) {
    expect(await task(organization, id)).toMatchObject({ status: 'running', cancelRequestedAt: expect.any(String) });
    await end(appliance, id, 'cancelled');
    expect(await task(organization, id)).toMatchObject({ status: 'cancelled' });
  }
  const counts = await organization.admin.ok('countApexTasksByStatus');
  expect(counts.filter(({ value }) => ['pending', 'running'].includes(value ?? '')).map(({ count }) => count)).toEqual([
    0, 0,
  ]);
}

describe('the work of appliances for an engagement', () => {
  test('ends when the engagement is cancelled: waiting tasks at once, running ones with the next call of the appliance', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const other = await makeTask(organization, await openEngagement(organization), { approval: 'required' });
    const under = await workIn(organization, engagementId);
    await organization.admin.ok('cancelEngagement', { params: { id: engagementId }, body: { reason: 'wrong week' } });
    await until(
      () => poll(under.appliance),
      ({ cancel }) => cancel.length === 2,
    );
    expect(await organization.admin.ok('cancelApexTask', { params: { id: other.id } })).toMatchObject({
      cancelRequestedAt: null,
      status: 'cancelled',
    });
    await expectEnded(organization, under, 'cancelled');
  });

  test('ends when people complete the engagement', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    await organization.admin.ok('startEngagement', { params: { id: engagementId } });
    const under = await workIn(organization, engagementId);
    await organization.admin.ok('completeEngagement', { params: { id: engagementId } });
    await expectEnded(organization, under, 'completed');
  });

  test('ends when the engagement needs another decision, and is rejected', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const under = await workIn(organization, engagementId);
    const params = { id: engagementId };
    const body = { rulesOfEngagement: { allowExploitation: true } };
    expect(await organization.admin.ok('updateEngagement', { params, body })).toMatchObject({ status: 'requested' });
    await organization.admin.ok('rejectEngagement', { params, body: { reason: 'not these systems' } });
    await expectEnded(organization, under, 'rejected');
  });

  test('makes no tasks when the engagement is cancelled during the start, and shows the reason', async () => {
    const organization = await system.newOrganization();
    const { table } = organization;
    const engagementId = await openEngagement(organization);
    const { id } = await makeCampaign(organization, engagementId);
    const connections = {
      ...system.connections,
      queues: { ...system.connections.queues, send: async () => undefined },
    };
    const { taskId, resource } = await startRun({ connections, table }, id);
    await table.modify(engagements, engagementId, () => ({ status: 'cancelled' as const }));
    const row = (await table.rows(taskRows).find({ id: taskId }, true)) as TaskRow;
    const making = makeRun({ table, task: row, connections }, resource?.id ?? '');
    await expect(making).rejects.toThrow('The engagement is cancelled');
    expect(await readCampaign(organization, id)).toMatchObject({
      status: 'failed',
      statusReason: expect.stringContaining('The engagement is cancelled'),
    });
    expect((await organization.admin.ok('listApexTasks')).totalCount).toBe(0);
  });

  test('ends over several messages when one is not enough; each continues where the previous one stopped', async () => {
    const organization = await system.newOrganization();
    const { table } = organization;
    const engagementId = await openEngagement(organization);
    const under = await workIn(organization, engagementId);
    await table.modify(engagements, engagementId, () => ({ status: 'cancelled' as const }));
    const sent: unknown[] = [];
    const send = async (_job: string, message: unknown) => void sent.push(message);
    const connections = { ...system.connections, queues: { ...system.connections.queues, send } };
    const { id } = engagementTask(actor(), 'cancel_engagement', engagementId);
    await table.rows(taskRows).put({ ...engagementTask(actor(), 'cancel_engagement', engagementId), id });
    const parts: unknown[] = [];
    for (let result: unknown; result === undefined; ) {
      // Each reading of the clock is half a minute later.
      const start = nowMs();
      let looks = 0;
      setClock(() => start + looks++ * 20_000);
      const row = (await table.rows(taskRows).find({ id }, true)) as TaskRow;
      result = await endWork({ table, task: row, connections });
      setClock();
      parts.push((await table.rows(taskRows).find({ id }, true))?.checkpoint);
    }
    expect(parts.length).toBeGreaterThan(1);
    expect(sent).toHaveLength(parts.length - 1);
    await expectEnded(organization, under, 'cancelled');
  });
});
