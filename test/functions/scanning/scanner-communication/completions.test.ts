import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { cancelTask } from '#shared/scanning/fleet/cancel-task.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { injectFaults } from '../../../support/faults.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { type Store, startStore } from '../../../support/store.ts';

let store: Store;
let world: World;

beforeAll(async () => {
  store = await startStore();
});
beforeEach(() => {
  stopClock();
  world = newWorld(store.dynamo);
});
afterAll(async () => {
  setClock();
  await store.stop();
});

const done = (taskId: string) => ({ taskId, outcome: 'completed' });
const failed = (taskId: string) => ({ taskId, outcome: 'failed', error: { code: 'unreachable', message: 'no route' } });

describe('completions', () => {
  test('the report of a task counts for the target of its lease', async () => {
    const scanner = await world.link({ zone: 'dmz' });
    await world.engage(['10.0.0.1'], { zone: 'dmz' });
    const taskId = (await world.poll(scanner.id)).tasks[0]?.id ?? '';
    const reports = [
      { format: 'nuclei', content: '{"template-id":"a","info":{"name":"n","severity":"low"},"host":"6.6.6.6"}' },
    ];
    await world.complete(scanner.id, [{ ...done(taskId), reports }]);
    const [submission] = [...world.objects].filter(([key]) => key.endsWith('submission.json')).map(([, body]) => body);
    expect(JSON.parse(String(submission))).toMatchObject({
      target: { type: 'host', value: '10.0.0.1' },
      zone: 'dmz',
      scanType: 'network',
      scannerTaskId: taskId,
    });
  });

  test('a done task names the tasks that read its reports, the first of them in a field of its own, or none', async () => {
    const scanner = await world.link();
    await world.engage(['10.0.0.1', '10.0.0.2']);
    const [one, two] = (await world.poll(scanner.id, { capacity: 2 })).tasks.map(({ id }) => id);
    const report = { format: 'nuclei', content: '{"template-id":"a","info":{"name":"n","severity":"low"}}' };
    const { results } = await world.complete(scanner.id, [
      { ...done(one ?? ''), reports: [report, report] },
      done(two ?? ''),
    ]);
    const ingestTaskIds = results[0]?.ingestTaskIds;
    expect(ingestTaskIds).toHaveLength(2);
    const read = (id = '') => world.table.get(scannerTasks, id, true);
    const ended = { status: 'completed', progress: 1 };
    expect(await read(one)).toMatchObject({ ...ended, ingestTaskIds, ingestTaskId: ingestTaskIds?.[0] });
    expect(await read(two)).toMatchObject({ ...ended, ingestTaskIds: [], ingestTaskId: null });
  });
});

test('an engagement is over when the last results of its tasks are sent together, and not before', async () => {
  const scanner = await world.link();
  const engagement = await world.engage(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
  const { tasks } = await world.poll(scanner.id, { capacity: 3 });
  const [first, ...rest] = tasks.map(({ id }) => done(id));
  await world.complete(scanner.id, [first]);
  expect(await world.table.get(engagements, engagement.id)).toMatchObject({ status: 'running' });
  await world.complete(scanner.id, rest);
  expect(await world.table.get(engagements, engagement.id)).toMatchObject({ status: 'completed' });
});

test.each(['completed', 'failed', 'cancelled'])(
  'an engagement whose only task is %s for good is so, too',
  async (end) => {
    const scanner = await world.link();
    const engagement = await world.engage(['10.0.0.1']);
    for (let attempt = 1; attempt <= (end === 'failed' ? 3 : 1); attempt++) {
      const taskId = (await world.poll(scanner.id)).tasks[0]?.id ?? '';
      if (end === 'cancelled') await cancelTask(world.table, taskId);
      await world.complete(scanner.id, [end === 'completed' ? done(taskId) : failed(taskId)]);
    }
    expect(await world.table.get(engagements, engagement.id)).toMatchObject({ status: end });
    await world.expectExactCounters();
  },
);

test('an engagement whose only task is cancelled before a scanner has it is cancelled', async () => {
  const engagement = await world.engage(['10.0.0.1']);
  const [task] = await world.tasks();
  await cancelTask(world.table, task?.id ?? '');
  expect(await world.table.get(engagements, engagement.id)).toMatchObject({ status: 'cancelled' });
});

test('an engagement whose end was not written with its last result is over once the result is sent again', async () => {
  const dynamo = store.connect();
  const broken = newWorld(dynamo, openTable(dynamo, world.table.organizationId));
  const scanner = await world.link();
  const engagement = await world.engage(['10.0.0.1']);
  const result = done((await world.poll(scanner.id)).tasks[0]?.id ?? '');
  let isWritten = false;
  const endFaults = injectFaults(dynamo, {
    random: () => 1,
    before(command) {
      if (isWritten) throw new Error('the table does not answer');
      isWritten = command.startsWith('Transact');
    },
  });
  await expect(broken.complete(scanner.id, [result])).rejects.toThrow('the table does not answer');
  endFaults();
  const read = () => world.table.get(engagements, engagement.id);
  expect(await read()).toMatchObject({ status: 'running' });
  expect((await broken.complete(scanner.id, [result])).results).toMatchObject([{ accepted: true }]);
  expect(await read()).toMatchObject({ status: 'completed' });
});

test('an engagement is over with its last task, also if a later result of the request cannot be taken now', async () => {
  const scanner = await world.link();
  const [over, open] = [await world.engage(['10.0.0.1']), await world.engage(['10.0.0.2'])];
  const { tasks } = await world.poll(scanner.id, { capacity: 2 });
  const [one, other] = tasks.map(({ id }) => done(id));
  world.connections.bucket.put = async () => {
    throw new Error('the bucket does not answer');
  };
  const reports = [{ format: 'nuclei', content: 'x' }];
  await expect(world.complete(scanner.id, [one, { ...other, reports }])).rejects.toThrow('the bucket does not answer');
  expect(await world.table.get(engagements, over.id)).toMatchObject({ status: 'completed' });
  expect(await world.table.get(engagements, open.id)).toMatchObject({ status: 'running' });
});
