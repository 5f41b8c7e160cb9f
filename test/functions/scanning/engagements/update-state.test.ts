import { expect, test } from 'vitest';
import { updateEngagement } from '#functions/scanning/engagements/update.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { type Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import { createEngagementTask } from '../../../support/engagement-worker.ts';
import { newWorld, stopClock } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore('test');

const at = '2025-03-03T09:00:00.000Z';
const later = '2025-03-03T10:00:00.000Z';

/** An engagement that starts in an hour, and what a person of a role changes in it. */
async function scheduled(role = 'analyst', plan: object = {}) {
  stopClock(Date.parse(at));
  const { table, connections } = newWorld(store.dynamo);
  const more = { schedule: { startAt: later, recurrence: null, timeZone: 'UTC' }, ...plan };
  const { id } = await createEngagementTask({ table, connections }, { targets: ['10.0.0.1'], more });
  const caller = { kind: 'user', id: 'kim', name: 'Kim', role, organizationId: table.organizationId } as never;
  const update = (patch: object) => updateEngagement({ table, caller, id }, { patch, ifMatch: undefined });
  const become = (changes: Partial<Engagement>) => table.modify(engagements, id, () => changes);
  return { update, become, read: () => table.get(engagements, id, true) };
}

test.each<Engagement['status']>(['completed', 'cancelled', 'rejected'])(
  'an engagement that is %s stays as it ended',
  async (status) => {
    const { become, update, read } = await scheduled();
    const before = await become({ status });
    for (const patch of [{ title: 'Another' }, { intensity: 'low' }])
      await expect(update(patch)).rejects.toMatchObject({
        code: 'conflict',
        message: `This engagement is ${status}: it can no longer be changed.`,
      });
    expect(await read()).toMatchObject({ title: 'Test', version: before?.version });
  },
);

const run = { id: newId(), startedAt: at, completedAt: null, scheduledFor: null } as unknown as Engagement['lastRun'];
test.each<[string, Partial<Engagement>]>([
  ['runs', { status: 'running' }],
  ['makes its tasks', { lastRun: { ...run, status: 'preparing' } as Engagement['lastRun'] }],
  ['has a run in progress', { lastRun: { ...run, status: 'running' } as Engagement['lastRun'] }],
])('an engagement that %s keeps its plan, and gets another title', async (_state, changes) => {
  const { become, update, read } = await scheduled();
  const before = await become(changes);
  await expect(update({ title: 'Another', intensity: 'low', tags: [] })).rejects.toMatchObject({
    code: 'conflict',
    details: [{ path: 'intensity' }],
  });
  expect(await read()).toMatchObject({ title: 'Test', version: before?.version });
  const changed = await update({ title: 'Another' });
  expect(changed).toMatchObject({ title: 'Another', version: Number(before?.version) + 1 });
  expect(changed.plannedBy).toBe(before?.plannedBy);
});

test('between two runs the plan may change, and says who planned it', async () => {
  const { become, update } = await scheduled();
  await become({ lastRun: { ...run, status: 'completed' } as Engagement['lastRun'] });
  expect(await update({ intensity: 'low' })).toMatchObject({ intensity: 'low', plannedBy: { id: 'kim', name: 'Kim' } });
});

test('a plan that cannot be carried out is refused by name, and a title is not asked for it', async () => {
  const { update, read } = await scheduled();
  const { version } = await read();
  const refused = async (patch: object, path: string) =>
    expect(update(patch)).rejects.toMatchObject({ code: 'validation_failed', details: [{ path }] });
  await refused({ scannerGroupId: newId() }, 'scannerGroupId');
  await refused({ kind: 'retest', retestOf: { engagementId: newId(), findingIds: [] } }, 'retestOf.engagementId');
  await refused({ schedule: { recurrence: 'FREQ=NEVER' } }, 'schedule.recurrence');
  await refused({ leadId: newId() }, 'leadId');
  expect(await read()).toMatchObject({ title: 'Test', version, scannerGroupId: null });
});

test('a plan that needs a decision waits for one, and gives back what was approved', async () => {
  const { become, update } = await scheduled('viewer');
  await become({ approvedCredentialIds: ['some'] });
  expect(await update({ title: 'Another' })).toMatchObject({ status: 'scheduled', nextRunAt: later });
  expect(await update({ intensity: 'low' })).toMatchObject({
    status: 'requested',
    nextRunAt: null,
    approvedCredentialIds: [],
  });
});

test("a request stays a request after any person's change of its plan", async () => {
  const { become, update } = await scheduled();
  await become({ status: 'requested', nextRunAt: null });
  expect(await update({ intensity: 'low' })).toMatchObject({ status: 'requested', nextRunAt: null });
});

test('a change that does not move the start keeps one that is due', async () => {
  const { update } = await scheduled();
  expect(await update({ intensity: 'low' })).toMatchObject({ status: 'scheduled', nextRunAt: later });
});

test('an engagement that never ran begins at once when its start is taken away', async () => {
  const { update } = await scheduled();
  expect(await update({ schedule: { startAt: null } })).toMatchObject({ status: 'scheduled', nextRunAt: at });
});

test('an engagement that ran ends when no start is left, and goes on while one is', async () => {
  const { become, update } = await scheduled();
  await become({ runs: 1 });
  const again = '2025-03-05T10:00:00.000Z';
  expect(await update({ schedule: { startAt: again } })).toMatchObject({ status: 'scheduled', nextRunAt: again });
  expect(await update({ schedule: { startAt: '2025-03-01T10:00:00.000Z' } })).toMatchObject({
    status: 'completed',
    nextRunAt: null,
    completedAt: at,
  });
});

test('an engagement whose last type of task is taken away is started by hand', async () => {
  const { update } = await scheduled();
  expect(await update({ taskTypes: [] })).toMatchObject({ status: 'scheduled', nextRunAt: null });
  expect(await update({ taskTypes: ['network'] })).toMatchObject({ nextRunAt: later });
});
