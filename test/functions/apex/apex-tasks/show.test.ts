import { describe, expect, test } from 'vitest';
import { showTasks } from '#functions/apex/apex-tasks/show.ts';
import { type ApexAppliance, apexAppliances } from '#shared/apex/apex-appliance.ts';
import type { ApexTask } from '#shared/apex/apex-task.ts';
import { type ApexPresence, apexMachines, apexPresences } from '#shared/apex/presence.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { applianceDraft } from '../../../support/apex.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

const PATIENCE_SECONDS = 150;
const newcomer = { status: 'online', zone: null, taskTypes: [] } as const;

/** An organization that has tasks, and appliances that called as they are told to. */
function world() {
  const clock = stopClock();
  const table = newOrganization(store.dynamo);
  const waiting = (more: Partial<ApexTask> = {}) => ({
    id: newId(),
    type: 'web_testing',
    status: 'pending',
    released: true,
    waitingReason: null,
    appliance: null,
    providerId: null,
    applianceId: null,
    zone: null,
    usePublicApex: false,
    progress: null,
    leaseExpiresAt: null,
    updatedAt: new Date(nowMs()).toISOString(),
    ...more,
  });
  return {
    clock,
    waiting,
    appliance: (more: Partial<ApexAppliance> = {}) =>
      table.create(apexAppliances, { ...applianceDraft, instanceId: newId(), ...newcomer, ...more } as never),
    call: (appliance: ApexAppliance, more: Partial<ApexPresence> = {}) =>
      table.rows(apexPresences).put({
        ...apexMachines.newPresence(appliance),
        lastSeenAt: nowMs(),
        toldSeconds: 60,
        ...more,
      }),
    shown: async (task: object) => (await showTasks(table, [task as never]))[0] as unknown as ApexTask,
  };
}

describe('a task for one appliance says why it waits', () => {
  test('there is none of the name', async () => {
    const { waiting, shown } = world();
    expect(await shown(waiting({ applianceId: newId() }))).toMatchObject({ waitingReason: 'no_appliance' });
  });

  test.each<[string, Partial<ApexPresence>, ApexTask['waitingReason']]>([
    ['it is disabled', { enabled: false }, 'no_appliance'],
    ['it serves every organization, and no task that names it', { public: true }, 'no_appliance'],
    ['it does not do tasks of the type', { taskTypes: ['reconnaissance'] }, 'no_appliance_for_type'],
    ['it is silent', { lastSeenAt: 0 }, 'all_offline'],
    ['for no reason yet', {}, null],
  ])('%s', async (_why, presence, waitingReason) => {
    const { appliance, call, waiting, shown } = world();
    const current = await appliance();
    await call(current, presence);
    expect(await shown(waiting({ applianceId: current.id }))).toMatchObject({ waitingReason });
  });

  test('it has never called', async () => {
    const { appliance, waiting, shown } = world();
    const { id } = await appliance();
    expect(await shown(waiting({ applianceId: id }))).toMatchObject({ waitingReason: 'all_offline' });
  });

  test('it is busy, if it did not take it with its next two calls', async () => {
    const { appliance, call, clock, waiting, shown } = world();
    const current = await appliance();
    const task = waiting({ applianceId: current.id });
    clock.pass(PATIENCE_SECONDS);
    await call(current);
    expect(await shown(task)).toMatchObject({ waitingReason: null });
    clock.pass(1);
    expect(await shown(task)).toMatchObject({ waitingReason: 'all_busy' });
  });
});

describe('a task for any appliance says why it waits', () => {
  test.each<[string, Partial<ApexAppliance> | undefined, Partial<ApexTask>, ApexTask['waitingReason']]>([
    ['there is none', undefined, {}, 'no_appliance'],
    ['there is none in its zone', {}, { zone: 'dmz' }, 'no_appliance'],
    ['none does tasks of the type', { taskTypes: ['reconnaissance'] }, {}, 'no_appliance_for_type'],
    ['none of them calls', { status: 'offline' }, {}, 'all_offline'],
    ['for no reason yet', {}, {}, null],
    ['for no reason yet in its zone', { zone: 'dmz' }, { zone: 'dmz' }, null],
  ])('%s', async (_why, appliance, task, waitingReason) => {
    const { waiting, shown, ...at } = world();
    if (appliance) await at.appliance(appliance);
    expect(await shown(waiting(task))).toMatchObject({ waitingReason });
  });

  test('all are busy, once it waits for longer than an idle one takes to call', async () => {
    const { appliance, clock, waiting, shown } = world();
    await appliance();
    const task = waiting();
    clock.pass(PATIENCE_SECONDS);
    expect(await shown(task)).toMatchObject({ waitingReason: null });
    clock.pass(1);
    expect(await shown(task)).toMatchObject({ waitingReason: 'all_busy' });
  });
});

test.each([
  ['is held back', { released: false, waitingReason: 'dependencies' }],
  ['has ended', { status: 'completed', waitingReason: null }],
] as [string, Partial<ApexTask>][])('a task that %s keeps its own words', async (_state, task) => {
  const { waiting, shown } = world();
  expect(await shown(waiting(task))).toMatchObject(task);
});

test('a running task shows how far its appliance is, and until when it holds the task', async () => {
  const { appliance, call, waiting, shown } = world();
  const current = await appliance();
  const task = waiting({ status: 'running', appliance: { id: current.id, name: current.name } });
  expect(await shown(task)).toMatchObject({ progress: null, leaseExpiresAt: null });
  const until = nowMs() + 60_000;
  const lease = {
    attempt: 1,
    until,
    deadline: until,
    progress: 0.5,
    step: 'crawl',
    message: 'page 3',
    engagementId: newId(),
  };
  await call(current, { leases: { [task.id]: { ...lease, runId: null } } });
  expect(await shown(task)).toMatchObject({
    progress: { fraction: 0.5, step: 'crawl', message: 'page 3' },
    leaseExpiresAt: new Date(until).toISOString(),
  });
});
