import { describe, expect, test } from 'vitest';
import { outboxWrites, RESEND_AFTER_SECONDS, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { newTask, taskRows } from '#shared/platform/jobs/task.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { actor } from '../../../support/actor.ts';
import { requestEngagement, runWorker } from '../../../support/engagement-worker.ts';
import { injectFaults } from '../../../support/faults.ts';
import { newWorld, stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

describe('making the tasks of an engagement', () => {
  test('a worker that is stopped between any two writes makes each task once after redelivery', async () => {
    for (let stopAt = 1; stopAt <= 14; stopAt++) {
      const dynamo = store.connect();
      const world = newWorld(dynamo, newOrganization(store.dynamo));
      const targets = Array.from({ length: 40 }, (_, n) => `10.1.0.${n}`);
      const { engagement, task } = await requestEngagement(world, { targets });
      let writes = 0;
      const end = injectFaults(dynamo, {
        random: () => 1,
        before: (command) => {
          if (/^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(command) && ++writes === stopAt)
            throw new Error('the worker was stopped');
        },
      });
      const broken = newWorld(dynamo, openTable(dynamo, world.table.organizationId));
      await runWorker(broken, task.id).catch(() => undefined);
      end();
      await runWorker(world, task.id);
      const values = (await world.tasks()).map(({ target }) => target.value).toReversed();
      expect(values.toSorted()).toEqual(targets.toSorted());
      expect((await world.table.get(engagements, engagement.id)).status).toBe('scheduled');
      await world.expectExactCounters();
    }
  });

  test('a target of many words in many zones still fits its transactions', async () => {
    const world = newWorld(store.dynamo);
    const targets = Array.from({ length: 30 }, (_, n) => ({
      type: 'url' as const,
      value: `https://www.example.org/one/two/three/four/five/${n}`,
      zone: `zone-${n}`,
    }));
    const { task } = await requestEngagement(world, {
      targets: ['10.0.0.1'],
      taskTypes: ['web', 'tls'],
      more: { targets },
    });
    await runWorker(world, task.id);
    expect(await world.tasks()).toHaveLength(60);
    await world.expectExactCounters();
  });
});

test('the workers of the request and of its approval make each task once when they run simultaneously', async () => {
  const world = newWorld(store.dynamo);
  const { engagement, task } = await requestEngagement(world, { targets: ['10.1.0.1', '10.1.0.2'] });
  const input = { engagementId: engagement.id };
  const approval = newTask(actor(), {
    operation: 'approve_engagement',
    job: 'engagements',
    unit: 'scanner tasks',
    input,
  });
  await world.table.rows(taskRows).put(approval);
  await Promise.all([runWorker(world, task.id), runWorker(world, approval.id)]);
  expect(await world.tasks()).toHaveLength(2);
  await world.expectExactCounters();
});

describe('a message that was never sent', () => {
  test('is sent by the sweeper, and a sent message is not sent again', async () => {
    const clock = stopClock();
    const world = newWorld(store.dynamo);
    const tasks = [1, 2].map(() =>
      newTask(actor(), { operation: 'create_engagement', job: 'engagements', unit: 'scanner tasks', input: {} }),
    );
    const [lost, sent] = tasks;
    if (!lost || !sent) throw new Error('two tasks');
    for (const task of tasks) {
      const batch = world.table.batch();
      batch.write(...outboxWrites(world.table, task));
      await batch.commit();
    }
    await sendOutbox(world, { task: sent });
    clock.pass(RESEND_AFTER_SECONDS + 1);
    await world.sweep();
    await world.sweep();
    const messages = world.sent.map(({ message }) => Object(message).taskId);
    expect(messages).toEqual([sent.id, lost.id]);
  });
});
