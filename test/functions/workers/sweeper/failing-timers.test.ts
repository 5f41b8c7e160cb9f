import { expect, onTestFinished, test, vi } from 'vitest';
import { newTask, taskRows } from '#shared/platform/jobs/task.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { placedTimer, type Timer, timers } from '#shared/platform/timers/timers.ts';
import { actor } from '../../../support/actor.ts';
import { newWorld } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore('test');

test('any number of failing timers keeps no other timer from being worked', async () => {
  const world = newWorld(store.dynamo);
  const rows = openTable(store.dynamo, GLOBAL_SCOPE).rows(timers);
  const { organizationId } = world.table;
  const at = nowMs() - 60_000;
  // of a release that is not there any more
  const kind = 'unknown' as Timer['kind'];
  const put = (timer: Partial<Timer>) => rows.put(placedTimer({ at, kind, organizationId, id: newId(), ...timer }));
  await Promise.all(Array.from({ length: 400 }, () => put({})));
  const tasks = Array.from({ length: 60 }, () =>
    newTask(actor(), { operation: 'create_engagement', job: 'engagements', unit: 'scanner tasks', input: {} }),
  );
  for (const task of tasks) {
    await world.table.rows(taskRows).put(task);
    await put({ kind: 'send', at: at + 1, id: task.id });
  }
  const errors = vi.spyOn(log, 'error').mockReturnValue();
  onTestFinished(() => errors.mockRestore());
  await world.sweep();
  expect(errors.mock.calls.map(([message]) => message)).toEqual(Array(400).fill('timer not worked'));
  const ids = world.sent.map(({ message }) => Object(message).taskId);
  expect(ids.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
  // those that failed stay due, and what was worked is gone
  const left = await Promise.all(['0', '1', '2', '3'].map((shard) => rows.query(shard)));
  expect(left.flat()).toHaveLength(400);
});
