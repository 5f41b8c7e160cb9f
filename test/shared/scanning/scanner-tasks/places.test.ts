import { beforeEach, expect, test } from 'vitest';
import { TASK_KEPT_SECONDS } from '#shared/platform/jobs/task.ts';
import { placeRows } from '#shared/platform/quotas/places.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { newId, shortId } from '#shared/platform/runtime/ids.ts';
import { takeTaskPlaces } from '#shared/scanning/scanner-tasks/places.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
beforeEach(() => void stopClock());

const engagement = {
  targets: ['192.0.2.1', '192.0.2.2'].map((value) => ({ type: 'host' as const, value, zone: null })),
  exclusions: [],
  taskTypes: ['network' as const, 'web' as const],
};

/** The places that a run with four tasks takes, of which so many are made already. */
async function placesOf(made: { made?: number }) {
  const [table, taskId] = [newOrganization(store.dynamo), newId()];
  const batch = table.batch();
  await takeTaskPlaces(table, batch, { taskId, engagement, ...made });
  await batch.commit();
  const row = await table.rows(placeRows).find({ kind: 'tasks' }, true);
  return row && { amount: row[`n${shortId(taskId)}`], until: row[`u${shortId(taskId)}`] };
}

test('a run holds a place for each task that it still makes, for as long as the task that makes them is kept', async () => {
  const until = nowMs() + TASK_KEPT_SECONDS * 1000;
  expect(await placesOf({})).toEqual({ amount: 4, until });
  expect(await placesOf({ made: 1 })).toEqual({ amount: 3, until });
  expect(await placesOf({ made: 3 })).toEqual({ amount: 1, until });
});

test('a run whose tasks are all made takes no places, also when its scope became smaller meanwhile', async () => {
  expect([await placesOf({ made: 4 }), await placesOf({ made: 5 })]).toEqual([undefined, undefined]);
});
