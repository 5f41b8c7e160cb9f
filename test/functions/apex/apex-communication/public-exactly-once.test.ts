import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCampaign } from '#functions/apex/apex-campaigns/change.ts';
import { pollAsAppliance } from '#functions/apex/apex-communication/poll.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { apexAppliances } from '#shared/apex/apex-appliance.ts';
import { ApexCampaignCreate, apexCampaignRuns, apexCampaigns } from '#shared/apex/apex-campaign.ts';
import { APEX_TASK_TYPES, type ApexTask, apexTasks } from '#shared/apex/apex-task.ts';
import { apexProviders, becomeProvider } from '#shared/apex/public.ts';
import { startRun } from '#shared/apex/start-run.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { openPools } from '#shared/scanning/scanner-tasks/pools.ts';
import { usages } from '#shared/scanning/scanner-tasks/usage.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { applianceDraft } from '../../../support/apex.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { APPLIANCE_STEPS, actAsAppliance, cancelTaskAt, workRun } from '../../../support/random-appliances.ts';
import { fakeConnections, newWorld, stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, type Store, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectExact } from '../../../support/verify.ts';

const store = useStore();

const taskTemplates = ['a', 'b', 'c', 'd'].map((key, n) => ({
  key,
  type: n % 2 === 0 ? 'reconnaissance' : 'web_testing',
  dependsOn: key === 'd' ? ['a'] : [],
}));

type Dynamo = ReturnType<Store['connect']>;

/** A client whose campaign is about to make its tasks. */
async function newClient(dynamo: Dynamo, of?: Table, wish: object = {}) {
  const { table, engage } = newWorld(dynamo, of);
  const { connections } = fakeConnections(dynamo);
  const { id: engagementId } = await engage(['192.0.2.1']);
  const body = { name: 'x', objective: 'x', engagementId, taskTemplates, usePublicApex: true, ...wish };
  const campaign = await createCampaign(table, ApexCampaignCreate.parse(body));
  const { taskId, resource } = await startRun({ connections, table }, campaign.id);
  const runId = resource?.id ?? '';
  return { table, campaign, runId, make: () => workRun({ connections, table }, taskId) };
}

async function setUp(dynamo: Dynamo) {
  const table = newOrganization(dynamo);
  await becomeProvider(table);
  const ids = await Promise.all(
    [1, 2, 3].map(async () => (await table.create(apexAppliances, { ...applianceDraft, public: true })).id),
  );
  const holds = ids.map((id) => ({ id, tasks: new Set<string>() }));
  const clients = await Promise.all([1, 2, 3].map(() => newClient(dynamo)));
  return { table, connections: fakeConnections(dynamo).connections, holds, clients, completed: [] as string[] };
}
type World = Awaited<ReturnType<typeof setUp>>;

const KINDS = [...APPLIANCE_STEPS, 'cancel'] as const;
const step = fc.record({ kind: fc.constantFrom(...KINDS), who: fc.nat({ max: 2 }), which: fc.nat({ max: 3 }) });
type Step = { kind: (typeof KINDS)[number]; who: number; which: number };

async function act(world: World, clock: ReturnType<typeof stopClock>, { kind, who, which }: Step): Promise<void> {
  if (kind !== 'cancel') return actAsAppliance(world, clock, { kind, who });
  await cancelTaskAt(world.clients[who]?.table ?? world.table, which);
}

const tasksOf = async (table: Table) => (await table.list(apexTasks, { paginateFrom: 0, paginateSize: 50 })).data;
const isOver = ({ status }: Pick<ApexTask, 'status'>) => ['completed', 'failed', 'cancelled'].includes(status);

/** Ends what is left, however long leases go on. */
async function finish(world: World, clock: ReturnType<typeof stopClock>, attempt: (one: Step) => Promise<unknown>) {
  const runs = () => Promise.all(world.clients.map(({ table, campaign }) => table.get(apexCampaigns, campaign.id)));
  for (let n = 0; n < 60 && (await runs()).some(({ currentRun }) => currentRun); n++) {
    for (const who of [0, 1, 2]) await attempt({ kind: 'poll', who, which: 0 });
    for (const who of [0, 0, 1, 1, 2, 2]) await attempt({ kind: 'complete', who, which: 0 });
    clock.pass(400);
    await attempt({ kind: 'sweep', who: 0, which: 0 });
  }
}

test('whatever public appliances do at once, each task of each organization is done once, and counted where it belongs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 20 }),
      fc.nat(),
      async (rounds, seed) => {
        const clock = stopClock();
        const dynamo = store.connect();
        const world = await setUp(dynamo);
        const endFaults = injectFaults(dynamo, { random: dice(seed), conflict: 0.15, throttle: 0.05, lost: 0.05 });
        // an operation that is refused, or gives up, is its caller's to repeat
        const attempt = (one: Step) => act(world, clock, one).catch(() => undefined);
        await Promise.all(world.clients.map(({ make }) => make()));
        for (const round of rounds) await Promise.all(round.map(attempt));
        endFaults();
        await finish(world, clock, attempt);
        const { completed, clients, table } = world;
        expect(new Set(completed).size).toBe(completed.length);
        for (const { table: owned } of clients) {
          const observer = openTable(store.dynamo, owned.organizationId);
          const tasks = await tasksOf(observer);
          expect(tasks).toHaveLength(taskTemplates.length);
          expect(tasks.filter((task) => !isOver(task))).toEqual([]);
          const done = tasks.filter(({ status }) => status === 'completed').map(({ id }) => id);
          for (const id of completed) if (tasks.some((task) => task.id === id)) expect(done).toContain(id);
          const key = { groupId: 'public-apex', owner: owned.organizationId };
          expect((await openPools(store.dynamo).rows(usages).find(key, true))?.running ?? 0).toBe(0);
          await expectExact(observer, [apexTasks, apexCampaigns, apexCampaignRuns]);
        }
        const provider = openTable(store.dynamo, table.organizationId);
        expect(await tasksOf(provider)).toEqual([]);
        await expectExact(provider, [apexTasks, apexAppliances]);
      },
    ),
    { numRuns: runs(2, 8) },
  );
});

test('as much as one appliance may hold is taken and given back, of however many campaigns', async () => {
  const clock = stopClock();
  const { dynamo } = store;
  const table = newOrganization(dynamo);
  await becomeProvider(table);
  const { id: applianceId } = await table.create(apexAppliances, { ...applianceDraft, public: true });
  const owner = newOrganization(dynamo);
  for (const type of APEX_TASK_TYPES.slice(0, 5).flatMap((one) => [one, one, one])) {
    const { make } = await newClient(dynamo, owner, { taskTemplates: [{ key: 'a', type }] });
    await make();
  }
  for (let n = 0; n < 3; n++) {
    const { tasks } = await pollAsAppliance(table, { machineId: applianceId, body: { capacity: 5 } });
    expect(new Set(tasks.map(({ campaignId }) => campaignId)).size).toBe(5);
  }
  clock.pass(1200);
  await sweep(fakeConnections(dynamo).connections);
  const returned = await tasksOf(owner);
  expect(returned.map(({ status, released }) => [status, released])).toEqual(returned.map(() => ['pending', true]));
  expect((await pollAsAppliance(table, { machineId: applianceId, body: { capacity: 5 } })).tasks).toHaveLength(5);
});

test('a task that was queued before its organization knew of a provider is found all the same', async () => {
  const clock = stopClock();
  const { dynamo } = store;
  const table = newOrganization(dynamo);
  const { id: applianceId } = await table.create(apexAppliances, { ...applianceDraft, public: true });
  const take = async () => (await pollAsAppliance(table, { machineId: applianceId, body: { capacity: 5 } })).tasks;
  await becomeProvider(table);
  await take();
  const known = openPools(dynamo).rows(apexProviders);
  const providers = await known.query('all');
  for (const provider of providers) await known.remove(provider);
  const retest = { taskTemplates: [{ key: 'a', type: 'retest' }] };
  const { campaign, make } = await newClient(dynamo, undefined, retest);
  await make();
  for (const provider of providers) await known.put(provider);
  clock.pass(30);
  const mine = (await take()).filter(({ campaignId }) => campaignId === campaign.id);
  expect(mine).not.toEqual([]);
});

test('a poll with no work is one round trip and at most one read unit, of a private and of a public appliance', async () => {
  const clock = stopClock();
  const dynamo = store.connect();
  const meter = attachMeter(dynamo);
  const table = newOrganization(dynamo);
  await becomeProvider(table);
  clock.pass(120);
  const waiting = await newClient(dynamo);
  await waiting.make();
  for (const isPublic of [false, true]) {
    const draft = { ...applianceDraft, public: isPublic, taskTypes: ['reporting'] };
    const { id: applianceId } = await table.create(apexAppliances, draft);
    const idle = () => pollAsAppliance(table, { machineId: applianceId, body: { capacity: 1 } });
    for (let n = 0; n < 2; n++) await idle();
    const cost = await meter.measure(idle);
    expect({ isPublic, ...cost }).toMatchObject({ isPublic, roundTrips: 1, writeUnits: 0 });
    expect(cost.readUnits).toBeLessThanOrEqual(1);
  }
});
