import { apexCommunicationHandlers } from '#functions/apex/apex-communication/handlers.ts';
import { apexTaskHandlers } from '#functions/apex/apex-tasks/handlers.ts';
import { apexOf } from '#functions/scanning/link/machines.ts';
import { apexAppliances } from '#shared/apex/apex-appliance.ts';
import { ApexTaskCreate } from '#shared/apex/apex-task.ts';
import { requestEngagement } from '#test/support/engagement-worker.ts';
import { HEARTBEAT, IDLE, type World } from './machine-world.ts';
import type { BenchRow } from './report.ts';

const { leaseApexTasks, completeApexTasks, updateApexSession } = apexCommunicationHandlers;
const TYPE = 'reconnaissance';

/** Measures an appliance that polls, reports its session, works on a task and completes it. */
export async function measureAppliances(world: World, elapse: (seconds: number) => void): Promise<BenchRow[]> {
  const { row, call, table } = world;
  const draft = apexOf({ taskTypes: [TYPE], capacity: 2 }).draft({
    name: 'bench',
    instanceId: null,
    zone: null,
    groupIds: [],
  });
  const appliance = await table.create(apexAppliances, draft);
  const poll = (capacity = 1, running: object[] = []) =>
    leaseApexTasks(call(appliance, { body: { capacity, running, taskTypes: [TYPE] } }));
  const session = (sessionId?: string, running: object[] = []) => {
    const state = running.length > 0 ? 'busy' : 'idle';
    return updateApexSession(call(appliance, { body: { sessionId, state, running, resources: {}, events: [] } }));
  };
  await poll();
  const rows = [await row({ operation: 'appliance: poll, no work', budget: IDLE, run: () => poll() })];
  elapse(61);
  rows.push(await row({ operation: 'appliance: poll, no work, heartbeat', budget: HEARTBEAT, run: () => poll() }));
  const { sessionId } = await session();
  rows.push(await row({ operation: 'appliance: session update, idle', run: () => session(sessionId) }));
  elapse(61);
  rows.push(await row({ operation: 'appliance: session update, idle, heartbeat', run: () => session(sessionId) }));

  await makeTasks(world, 2);
  let taskId = '';
  const takeOne = async () => {
    taskId = (await poll()).tasks[0]?.id ?? '';
  };
  rows.push(await row({ operation: 'appliance: poll, one task', run: takeOne }));
  const running = [{ taskId, progress: 0.5, step: 'asking the model' }];
  await session(sessionId, running);
  elapse(10);
  rows.push(await row({ operation: 'appliance: session update, working', run: () => session(sessionId, running) }));
  elapse(61);
  const working = {
    operation: 'appliance: session update, working, heartbeat',
    run: () => session(sessionId, running),
  };
  rows.push(await row(working));
  const results = [{ taskId, outcome: 'completed', summary: 'One weak service.' }];
  const complete = () => completeApexTasks(call(appliance, { body: { results } }));
  return [...rows, await row({ operation: 'appliance: completing one task', run: complete })];
}

async function makeTasks(world: World, count: number): Promise<void> {
  const wanted = { targets: ['10.0.0.0/24'], more: { kind: 'penetration_test' } };
  const { engagement } = await requestEngagement(world, wanted);
  for (let n = 0; n < count; n++) {
    const body = ApexTaskCreate.parse({ engagementId: engagement.id, type: TYPE, objective: 'Look around.' });
    await apexTaskHandlers.createApexTask(world.call({ id: 'bench' }, { body }));
  }
}
