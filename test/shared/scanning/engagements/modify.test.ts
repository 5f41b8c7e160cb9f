import { expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { type Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import { modifyEngagement } from '#shared/scanning/engagements/modify.ts';
import { requestEngagement } from '../../../support/engagement-worker.ts';
import { newWorld, stopClock } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';
import { timersOf } from '../../../support/timers.ts';

const store = useStore('test');

const start = '2025-03-05T10:00:00.000Z';
/** Each day from 22 to 6 o'clock; it is 10 o'clock on a Monday. */
const windows = [
  { from: '22:00', to: '06:00', timeZone: 'UTC', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
];
const tonight = '2025-03-03T22:00:00.000Z';
const run = (status: 'preparing' | 'running' | 'completed') =>
  ({ id: newId(), taskId: newId(), status, startedAt: start, finishedAt: null }) as unknown as Engagement['lastRun'];

async function engaged() {
  stopClock();
  const { table, connections } = newWorld(store.dynamo);
  const { engagement } = await requestEngagement({ table, connections }, { targets: ['10.0.0.1'] });
  const become = (changes: object) => modifyEngagement(table, engagement.id, () => ({ changes }));
  const wakes = async () => (await timersOf(table)).map(({ kind, at }) => `${kind} ${new Date(at).toISOString()}`);
  return { table, id: engagement.id, become, wakes };
}

test.each([
  ['at its next start', { status: 'scheduled', nextRunAt: start }, start],
  [
    'at its next start, whatever its windows between two runs',
    { status: 'scheduled', nextRunAt: start, windows },
    start,
  ],
  ['when a window opens while a run goes on', { status: 'running', windows, lastRun: run('running') }, tonight],
  ['when a window opens while a run is prepared', { status: 'approved', windows, lastRun: run('preparing') }, tonight],
  ['at what comes first', { status: 'running', nextRunAt: start, windows, lastRun: run('running') }, tonight],
  ['at no time before its decision', { status: 'requested', nextRunAt: start }, null],
  ['at no time after its end', { status: 'completed', nextRunAt: start }, null],
  ['at no time without a start or a run', { status: 'running', windows, lastRun: run('completed') }, null],
] as [string, object, string | null][])('the scheduler looks at an engagement %s', async (_when, changes, wakeAt) => {
  const { become, wakes } = await engaged();
  expect(await become(changes)).toMatchObject({ wakeAt });
  expect(await wakes()).toEqual(wakeAt === null ? [] : [`engagement ${wakeAt}`]);
});

test('a start that moves is looked for at the new time alone', async () => {
  const { become, wakes } = await engaged();
  await become({ status: 'scheduled', nextRunAt: start });
  await become({ nextRunAt: tonight });
  expect(await wakes()).toEqual([`engagement ${tonight}`]);
  await become({ title: 'Another' });
  expect(await wakes()).toEqual([`engagement ${tonight}`]);
  await become({ nextRunAt: null });
  expect(await wakes()).toEqual([]);
});

test('an engagement about which nothing is decided stays as it is', async () => {
  const { table, id } = await engaged();
  const before = await table.get(engagements, id, true);
  expect(await modifyEngagement(table, id, () => undefined)).toEqual(before);
  expect(await table.get(engagements, id, true)).toEqual(before);
});
