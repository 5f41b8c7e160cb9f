import { beforeEach, describe, expect, test } from 'vitest';
import { leaseFound } from '#functions/apex/apex-communication/lease-found.ts';
import { pollAsAppliance } from '#functions/apex/apex-communication/poll.ts';
import { apexAppliances } from '#shared/apex/apex-appliance.ts';
import { type ApexTask, apexTasks } from '#shared/apex/apex-task.ts';
import { readApexPresence } from '#shared/apex/presence.ts';
import { becomeProvider, publicUsageOf } from '#shared/apex/public.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { type Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import { applianceDraft, template } from '../../../support/apex.ts';
import { type ApexWorld, newApexWorld } from '../../../support/apex-world.ts';
import { linkIn, stopClock } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
let world: ApexWorld;
beforeEach(async () => {
  clock = stopClock();
  world = await newApexWorld(store.dynamo);
});

const host = (value: string, zone: string | null = null): ScanTarget => ({ type: 'host', value, zone });
const changeEngagement = (changes: Partial<Engagement>, id = world.engagementId) =>
  world.table.modify(engagements, id, () => changes);

/** The outcome for tasks that were found for the appliance. Nothing of it is recorded. */
async function decide(...tasks: ApexTask[]) {
  const { table } = world;
  const presence = await readApexPresence(table, world.applianceId);
  if (!presence) throw new Error('an appliance that was linked');
  const found = { owner: table, tasks, more: false, seen: [] };
  return leaseFound({ table, batch: table.batch() }, { presence, providerId: null }, found);
}

/** The outcome for a task that has these fields. */
async function outcomeOf(task: ApexTask, fields: Partial<ApexTask>): Promise<string | undefined> {
  await world.table.modify(apexTasks, task.id, () => fields);
  const { leased, ended } = await decide(await world.read(task.id));
  return leased.length > 0 ? 'leased' : ended[0]?.error?.code;
}

describe('a task is handed out as its engagement is now', () => {
  const refused = 'not_allowed';
  const near = { targets: [host('10.0.0.1'), host('10.0.0.2')] };
  const misspelled = [host('10.0.0.1'), host('10.0.0.1-9')];
  const far = [host('192.0.2.1'), host('192.0.2.2', 'dmz'), host('10.0.0.1')];
  const [open = host(''), zoned = host(''), inside = host('')] = far;
  const forPublic = (...targets: ScanTarget[]) => ({ usePublicApex: true, targets });

  test.each<[string, Partial<ApexTask>, Partial<Engagement>, string]>([
    ['as it was', near, {}, 'leased'],
    ['while it goes on', near, { status: 'running' }, 'leased'],
    ['that waits for a decision again', near, { status: 'requested' }, refused],
    ['that is completed', near, { status: 'completed' }, refused],
    ['that was cancelled', near, { status: 'cancelled' }, refused],
    ['without one of its targets', near, { targets: [host('10.0.0.2')] }, refused],
    ['without any of its targets', near, { targets: [host('10.0.0.3')] }, refused],
    ['with a target that reads as several', { targets: misspelled }, { targets: misspelled }, refused],
    ['that allows to exploit', { ...near, type: 'exploitation' }, {}, 'leased'],
    ['that allows no exploitation', { ...near, type: 'exploitation' }, withoutExploitation(), refused],
    ['that allows none, if it exploits nothing', near, withoutExploitation(), 'leased'],
    ['for public appliances', forPublic(open), { targets: far }, 'leased'],
    ['for public appliances, inside of a network', forPublic(open, inside), { targets: far }, refused],
    ['for public appliances, in a zone', forPublic(open, zoned), { targets: far }, refused],
    ['for own appliances, anywhere', { targets: far }, { targets: far }, 'leased'],
  ])('%s', async (_, task, engagement, outcome) => {
    const made = await world.make();
    await changeEngagement(engagement);
    expect(await outcomeOf(made, task)).toBe(outcome);
  });

  test('and not at all once it is gone', async () => {
    expect(await outcomeOf(await world.make(), { engagementId: newId() })).toBe(refused);
  });
});

function withoutExploitation(): Pick<Engagement, 'rulesOfEngagement'> {
  return { rulesOfEngagement: { allowExploitation: false } as Engagement['rulesOfEngagement'] };
}

test('a task that its engagement allows no more is cancelled and says why, and the next one is handed out', async () => {
  const [refused, allowed] = [await world.make({ type: 'exploitation' }), await world.make()];
  await changeEngagement(withoutExploitation());
  const { leased, ended } = await decide(await world.read(refused.id), await world.read(allowed.id));
  expect(leased.map(({ task }) => task.id)).toEqual([allowed.id]);
  expect(ended).toMatchObject([{ id: refused.id, status: 'cancelled', error: { code: 'not_allowed' } }]);
});

test('those that wait for a task that its engagement allows no more are cancelled with it', async () => {
  const first = await world.make({ targets: [host('10.0.0.2')] });
  const next = await world.make({ dependsOn: [first.id] });
  await changeEngagement({ targets: [host('10.0.0.1')] });
  expect(await world.take()).toEqual([]);
  expect(await world.read(first.id)).toMatchObject({ status: 'cancelled', error: { code: 'not_allowed' } });
  expect(await world.read(next.id)).toMatchObject({ status: 'cancelled', error: { code: 'dependency_failed' } });
});

test('a poll takes five tasks, and an appliance holds fifteen', async () => {
  for (let n = 0; n < 17; n++) await world.make();
  const counts: number[] = [];
  for (let n = 0; n < 4; n++) counts.push((await world.take(50)).length);
  expect(counts).toEqual([5, 5, 5, 0]);
});

test('tasks of several engagements have the rules, exclusions and time of their own engagement', async () => {
  const { id: engagementId } = await world.engage(['10.1.0.1']);
  const one = await world.make({ limits: { maxTokens: null, timeoutSeconds: 300 } });
  const other = await world.make({ engagementId, targets: [host('10.1.0.1')] });
  await changeEngagement({ exclusions: [host('10.0.0.9')] });
  const taken = await world.take();
  expect(taken).toHaveLength(2);
  const workOf = (id: string) => taken.find((work) => work.id === id);
  expect(workOf(one.id)).toMatchObject({
    engagementId: world.engagementId,
    allowExploitation: true,
    exclusions: [host('10.0.0.9')],
    attempt: 1,
    leaseSeconds: 300,
    leaseExpiresAt: inSeconds(300),
    deadlineAt: inSeconds(300),
  });
  expect(workOf(other.id)).toMatchObject({
    engagementId,
    allowExploitation: false,
    exclusions: [],
    leaseSeconds: 900,
    deadlineAt: inSeconds(86_400),
  });
  const presence = await readApexPresence(world.table, world.applianceId);
  expect(presence?.leases[other.id]).toMatchObject({ engagementId, runId: null });
});

test('a run that is over its time begins nothing, and other runs and tasks of no run do', async () => {
  const [late] = await world.run([template('a')], { limits: { maxDurationSeconds: 600 } });
  const [inTime] = await world.run([template('a')], { limits: { maxDurationSeconds: 3600 } });
  const single = await world.make();
  clock.pass(600);
  expect((await world.take()).map(({ id }) => id).toSorted()).toEqual([inTime?.id, single.id].toSorted());
  expect(await world.read(late?.id ?? '')).toMatchObject({ status: 'cancelled', error: { code: 'duration_limit' } });
});

test('outside the windows of its engagement a task waits, and is cancelled by nobody', async () => {
  const { id } = await world.make();
  const window = (day: 'mon' | 'tue') => ({ days: [day], from: '00:00', to: '24:00', timeZone: 'UTC' });
  // it is Monday
  await changeEngagement({ windows: [window('tue')] });
  expect(await world.take()).toEqual([]);
  expect(await world.read(id)).toMatchObject({ status: 'pending', released: false, waitingReason: 'outside_window' });
  const { id: open } = await world.make();
  await changeEngagement({ windows: [window('tue'), window('mon')] });
  expect((await world.take()).map((task) => task.id)).toEqual([open]);
});

test('tasks on public appliances are counted for their organization while they run, and say who has them', async () => {
  await becomeProvider(world.table);
  const appliance = { entity: apexAppliances, draft: { ...applianceDraft, public: true } };
  const { id: machineId } = await linkIn(world.table, appliance);
  const client = await newApexWorld(store.dynamo);
  const { id: engagementId } = await client.engage(['192.0.2.1']);
  await client.run([template('a'), template('b')], { engagementId, usePublicApex: true });
  await client.make();
  const [own] = await client.take();
  const { tasks } = await pollAsAppliance(world.table, { machineId, body: { capacity: 5 } });
  expect(tasks).toHaveLength(2);
  expect([await publicUsageOf(client.table), await publicUsageOf(world.table)]).toEqual([2, 0]);
  const [taskId = ''] = tasks.map(({ id }) => id);
  expect((await client.read(taskId)).providerId).toBe(world.table.organizationId);
  expect((await client.read(own?.id ?? '')).providerId).toBe(null);
  const held = await readApexPresence(world.table, machineId);
  expect(held?.leases[taskId]).toMatchObject({ organizationId: client.table.organizationId, engagementId });
});
