import type { Context, SQSEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { createCampaign } from '#functions/apex/apex-campaigns/change.ts';
import { createTask } from '#functions/apex/apex-tasks/change.ts';
import { handler } from '#functions/workers/engagements/index.ts';
import { ApexCampaignCreate } from '#shared/apex/apex-campaign.ts';
import { ApexTaskCreate } from '#shared/apex/apex-task.ts';
import { startRun } from '#shared/apex/start-run.ts';
import { cancelTask } from '#shared/apex/stop.ts';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { newTask, taskRows } from '#shared/platform/jobs/task.ts';
import { limitRows } from '#shared/platform/quotas/limits.ts';
import { readUse, takePlace } from '#shared/platform/quotas/places.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { actor } from '../../../support/actor.ts';
import { requestEngagement, runWorker } from '../../../support/engagement-worker.ts';
import { injectFaults } from '../../../support/faults.ts';
import { workRun } from '../../../support/random-appliances.ts';
import { newWorld } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { startSystem } from '../../../support/system.ts';

const store = useStore();

const used = async (table: Table) => (await readUse(table)).get('waitingTasks');
const hosts = (n: number, net = 0) => Array.from({ length: n }, (_, i) => `10.${net}.0.${i}`);

function limitedWorld(waitingTasks: number) {
  const world = newWorld(store.connect(), newOrganization(store.dynamo));
  return { ...world, limited: world.table.rows(limitRows).put({ waitingTasks }) };
}

test('of runs that begin at once only as many as fit make tasks, and each of those makes all of its tasks', async () => {
  const { limited, ...world } = limitedWorld(50);
  await limited;
  const requests = await Promise.all([1, 2, 3, 4].map((net) => requestEngagement(world, { targets: hosts(20, net) })));
  const ends = await Promise.allSettled(requests.map(({ task }) => runWorker(world, task.id)));
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  expect(refused).toEqual([
    expect.objectContaining({ code: 'limit_exceeded', message: expect.stringContaining('20 more are needed') }),
    expect.objectContaining({ code: 'limit_exceeded' }),
  ]);
  const engaged = await Promise.all(requests.map(({ engagement }) => world.table.get(engagements, engagement.id)));
  const runs = engaged.map(({ status, lastRun }) => `${status} ${lastRun?.status} ${lastRun?.statusReason ?? ''}`);
  expect(runs.map((run) => run.slice(0, 30)).toSorted()).toEqual([
    'failed failed Too many tasks o',
    'failed failed Too many tasks o',
    'scheduled running ',
    'scheduled running ',
  ]);
  expect(await world.tasks()).toHaveLength(40);
  expect(await used(world.table)).toBe(40);
  await world.expectExactCounters();
});

test('a worker that is stopped between any two writes keeps its places, and leaves none behind', async () => {
  for (let stopAt = 1; stopAt <= 12; stopAt++) {
    const { limited, ...world } = limitedWorld(25);
    await limited;
    const { task } = await requestEngagement(world, { targets: hosts(25) });
    let writes = 0;
    const end = injectFaults(world.table.dynamo, {
      random: () => 1,
      before: (command) => {
        if (/^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(command) && ++writes === stopAt)
          throw new Error('the worker was stopped');
      },
    });
    await runWorker(world, task.id).catch(() => undefined);
    end();
    expect(await used(world.table)).toBeLessThanOrEqual(25);
    await runWorker(world, task.id);
    expect(await used(world.table)).toBe(25);
    expect(await world.tasks()).toHaveLength(25);
  }
});

test('the places of an Apex run are taken when it starts, and kept by its tasks until each has ended', async () => {
  const { limited, table, connections, ...world } = limitedWorld(4);
  await limited;
  const { id: engagementId } = await world.engage(['10.0.0.1']);
  const wish = { name: 'x', objective: 'x', engagementId };
  const template = { type: 'reconnaissance' as const };
  const campaignOf = (keys: string[]) =>
    createCampaign(
      table,
      ApexCampaignCreate.parse({ ...wish, taskTemplates: keys.map((key) => ({ key, ...template })) }),
    );
  const [large, small] = [await campaignOf(['a', 'b', 'c', 'd']), await campaignOf(['a', 'b'])];
  await expect(startRun({ connections, table }, large.id)).rejects.toMatchObject({ code: 'limit_exceeded' });
  const { taskId } = await startRun({ connections, table }, small.id);
  expect(await used(table)).toBe(3);
  await workRun({ connections, table }, taskId);
  expect(await used(table)).toBe(3);
  const ask = () => createTask(table, ApexTaskCreate.parse({ engagementId, ...template, objective: 'x' }));
  const tries = await Promise.allSettled([ask(), ask(), ask()]);
  const [made] = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await used(table)).toBe(4);
  await cancelTask(table, made ?? '');
  expect(await used(table)).toBe(3);
});

test('a run whose worker fails at every attempt gives its places up', async () => {
  const system = startSystem();
  Object.assign(process.env, system.connections.settings);
  const { table, organizationId } = await system.newOrganization();
  const broken = newTask(actor(), {
    operation: 'create_engagement',
    job: 'engagements',
    unit: 'scanner tasks',
    input: {},
  });
  const batch = table.batch();
  await takePlace(table, batch, { kind: 'tasks', id: broken.id, amount: 30, until: inSeconds(3600) });
  batch.write(putWrite(table.tenant, taskRows, { row: broken }));
  await batch.commit();
  expect(await used(table)).toBe(30);
  const record = {
    messageId: 'm',
    body: JSON.stringify({ organizationId, taskId: broken.id }),
    attributes: { ApproximateReceiveCount: String(jobs.engagements.attempts) },
  };
  await handler({ Records: [record] } as unknown as SQSEvent, {} as Context);
  expect(await table.rows(taskRows).find({ id: broken.id }, true)).toMatchObject({ error: { code: 'dead_lettered' } });
  expect(await used(table)).toBe(0);
});
