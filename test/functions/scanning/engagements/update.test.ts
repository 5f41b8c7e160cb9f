import { expect, test } from 'vitest';
import { updateEngagement } from '#functions/scanning/engagements/update.ts';
import { holdWrites } from '#shared/apex/held-tasks.ts';
import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { type Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import { createEngagementTask, runWorker } from '../../../support/engagement-worker.ts';
import { overtakeOnce } from '../../../support/faults.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';
import { timersOf } from '../../../support/timers.ts';

const store = useStore('test');

const startAt = '2025-03-03T10:00:00Z';

/** An engagement that the scheduler has not started yet, half a minute after its start. */
async function dueEngagement(recurrence: string) {
  const clock = stopClock(Date.parse('2025-03-03T09:00:00Z'));
  const world = newWorld(store.dynamo);
  const more = { schedule: { startAt, recurrence, timeZone: 'UTC' } };
  const { id } = await createEngagementTask(world, { targets: ['10.0.0.1'], more });
  clock.pass(3630);
  return { world, id };
}

const update = ({ table }: Pick<World, 'table'>, id: string, patch: object) => {
  const caller = { kind: 'user', id: 'x', name: 'x', role: 'analyst', organizationId: table.organizationId } as const;
  return updateEngagement({ table, caller: caller as never, id }, { patch, ifMatch: undefined });
};

async function sweepAndWork(world: World): Promise<void> {
  await world.sweep();
  for (const { message } of world.sent.splice(0)) await runWorker(world, Object(message).taskId);
}

test('a change just after the start does not lose that run', async () => {
  const { world, id } = await dueEngagement('FREQ=WEEKLY');
  await update(world, id, { intensity: 'low' });
  await sweepAndWork(world);
  expect(await world.tasks()).toMatchObject([{ parameters: { intensity: 'low' } }]);
});

test('a task that waits for a window is looked at again at once when the windows change, and only then', async () => {
  const { world, id } = await dueEngagement('FREQ=WEEKLY');
  const { table } = world;
  const taskId = newId();
  const tomorrow = nowMs() + DAY_MS;
  const batch = table.batch();
  batch.write(...holdWrites(table, { id: taskId, engagementId: id }, tomorrow));
  await batch.commit();
  const looks = async () =>
    (await timersOf(table)).flatMap((timer) => (timer.kind === 'apex-task' ? [[timer.id, timer.at]] : [])).sort();
  await update(world, id, { title: 'Another' });
  expect(await looks()).toEqual([[taskId, tomorrow]]);
  await update(world, id, { windows: [{ days: ['sat'], from: '22:00', to: '04:00', timeZone: 'UTC' }] });
  expect(await looks()).toEqual([
    [taskId, nowMs()],
    [taskId, tomorrow],
  ]);
});

test('people can still be assigned during the last run of a recurrence', async () => {
  const { world, id } = await dueEngagement('FREQ=WEEKLY;COUNT=1');
  await sweepAndWork(world);
  expect(await update(world, id, { title: 'The last one' })).toMatchObject({ title: 'The last one', nextRunAt: null });
});

test('a rule that counts from a creation long ago is refused, instead of ending the engagement', async () => {
  const clock = stopClock(Date.parse('2025-03-03T09:00:00Z'));
  const world = newWorld(store.dynamo);
  const more = { schedule: { startAt: null, recurrence: 'FREQ=WEEKLY', timeZone: 'UTC' } };
  const { id } = await createEngagementTask(world, { targets: ['10.0.0.1'], more });
  const { id: scannerId } = await world.link();
  const { tasks } = await world.poll(scannerId);
  await world.complete(scannerId, [{ taskId: tasks[0]?.id, outcome: 'completed', reports: [] }]);
  clock.pass(5 * 86_400);
  const recurrence = 'FREQ=DAILY;COUNT=2';
  await expect(update(world, id, { schedule: { recurrence } })).rejects.toThrow('never comes again: give');
  const changed = await update(world, id, { schedule: { recurrence, startAt: '2025-03-09T03:00:00Z' } });
  expect(changed).toMatchObject({ status: 'scheduled', nextRunAt: '2025-03-09T03:00:00.000Z' });
});

test('an engagement with a new schedule waits for the new start, not for the old one', async () => {
  const { world, id } = await dueEngagement('FREQ=WEEKLY');
  await update(world, id, { schedule: { startAt: '2025-03-04T10:00:00Z' } });
  await sweepAndWork(world);
  expect(await world.tasks()).toEqual([]);
  expect(await world.table.get(engagements, id)).toMatchObject({
    nextRunAt: '2025-03-04T10:00:00.000Z',
    schedule: { recurrence: 'FREQ=WEEKLY' },
  });
});

/** A change by a caller, while the service itself changes the engagement. */
async function updateWhile({ table }: World, id: string, { patch, by }: { patch: object; by: Partial<Engagement> }) {
  const current = await table.get(engagements, id, true);
  const dynamo = store.connect();
  overtakeOnce(dynamo, () => table.update(engagements, current, by));
  return { current, changing: update({ table: openTable(dynamo, table.organizationId, table.actor) }, id, patch) };
}

test('a change keeps what the service itself changed meanwhile', async () => {
  const { world, id } = await dueEngagement('FREQ=WEEKLY');
  const by = { nextRunAt: '2025-03-10T10:00:00.000Z' };
  const { current, changing } = await updateWhile(world, id, { patch: { title: 'Renamed' }, by });
  expect(await changing).toMatchObject({ title: 'Renamed', version: current.version + 2, ...by });
});

test('a change that names a version is refused when the service was faster', async () => {
  const { world, id } = await dueEngagement('FREQ=WEEKLY');
  const { version } = await world.table.get(engagements, id, true);
  const by = { statusReason: 'busy' };
  const { changing } = await updateWhile(world, id, { patch: { title: 'Renamed', version }, by });
  await expect(changing).rejects.toMatchObject({ code: 'conflict', current: { version: version + 1, ...by } });
});
