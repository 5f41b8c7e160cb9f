import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCampaign, updateCampaign } from '#functions/apex/apex-campaigns/change.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { ApexCampaignCreate, apexCampaignRuns, apexCampaigns } from '#shared/apex/apex-campaign.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { cancelCampaign, setPaused } from '#shared/apex/campaign.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { startRun } from '#shared/apex/start-run.ts';
import { cancelTask } from '#shared/apex/stop.ts';
import { inSeconds, nowMs } from '#shared/platform/runtime/clock.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { placedTimer, timers } from '#shared/platform/timers/timers.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { workRun } from '../../../support/random-appliances.ts';
import { fakeConnections, newWorld, stopClock } from '../../../support/scanning-world.ts';
import { type Store, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectExact } from '../../../support/verify.ts';

const store = useStore();

const KINDS = ['pass', 'pass', 'sweep', 'sweep', 'end', 'end', 'make', 'pause', 'resume', 'cancel', 'run'] as const;
const step = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...KINDS) },
  { weight: 1, arbitrary: fc.constantFrom('daily' as const, 'once' as const, 'never' as const) },
);
type Step = (typeof KINDS)[number] | 'daily' | 'once' | 'never';

const page = { paginateFrom: 0, paginateSize: 200 };

async function setUp(dynamo: ReturnType<Store['connect']>) {
  const { table, engage } = newWorld(dynamo);
  const { connections, sent } = fakeConnections(dynamo);
  const engagement = await engage(['10.0.0.1']);
  const wish = {
    name: 'x',
    objective: 'x',
    engagementId: engagement.id,
    taskTemplates: [{ key: 'a', type: 'reconnaissance' }],
    schedule: { startAt: inSeconds(3600), recurrence: 'FREQ=DAILY' },
  };
  const { id } = await createCampaign(table, ApexCampaignCreate.parse(wish));
  return { table, connections, sent, id };
}
type World = Awaited<ReturnType<typeof setUp>>;

const admin = { id: 'x', name: 'x', organizationId: 'x', kind: 'user' as const, role: 'admin' as const };

const patch = ({ table, id }: World, schedule: object | null) =>
  updateCampaign(table, id, { patch: { schedule }, ifMatch: undefined, caller: admin });

async function act(world: World, clock: ReturnType<typeof stopClock>, kind: Step): Promise<unknown> {
  const { table, connections, id } = world;
  if (kind === 'pass') return clock.pass(9 * 3600);
  if (kind === 'sweep') return sweep(connections);
  if (kind === 'make') return makeAll(world);
  if (kind === 'end') return endTasks(table);
  if (kind === 'pause' || kind === 'resume') return setPaused(table, id, kind === 'pause');
  if (kind === 'cancel') return cancelCampaign(table, id);
  if (kind === 'run') return startRun({ connections, table }, id);
  if (kind === 'never') return patch(world, null);
  if (kind === 'once') return patch(world, { startAt: inSeconds(20_000), recurrence: null });
  return patch(world, { startAt: inSeconds(10_000), recurrence: 'FREQ=DAILY;COUNT=5' });
}

/** The worker's handling of each message, and of those that come again. */
async function makeAll({ table, connections, sent }: World): Promise<void> {
  for (const { message } of [...sent]) await workRun({ connections, table }, Object(message).taskId);
}

async function endTasks(table: Table): Promise<void> {
  const { data } = await table.list(apexTasks, page);
  for (const { id, status } of data) if (status === 'pending') await settleTasks(table, [await cancelTask(table, id)]);
}

async function expectPlanned(observer: Table, id: string): Promise<void> {
  const { status, schedule, nextRunAt, currentRun, runs } = await observer.get(apexCampaigns, id, true);
  expect(currentRun !== null).toBe(['running', 'paused'].includes(status));
  expect(nextRunAt !== null).toBe(schedule !== null);
  if (currentRun === null) expect(nextRunAt !== null).toBe(status === 'scheduled');
  const { data } = await observer.list(apexCampaignRuns, { ...page, parent: { campaign: id } });
  expect(data).toHaveLength(runs);
  const times = data.flatMap(({ scheduledFor }) => scheduledFor ?? []);
  expect(new Set(times).size).toBe(times.length);
  expect(data.filter(({ status: of }) => of === 'running' || of === 'paused').map((run) => run.id)).toEqual(
    currentRun ? [currentRun.id] : [],
  );
}

/** When the sweeper is to start the campaign. */
async function startsOf({ table, id }: World): Promise<string[]> {
  const { organizationId } = table;
  const { shard } = placedTimer({ at: 0, kind: 'apex-start', organizationId, id });
  const rows = await openTable(store.dynamo, GLOBAL_SCOPE).rows(timers).query(String(shard), { consistent: true });
  const ours = rows.filter((timer) => timer.kind === 'apex-start' && timer.id === id);
  return ours.map(({ at }) => new Date(at).toISOString());
}

test('a campaign with a schedule begins once at each start and knows the next start, whatever happens to it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 25 }),
      fc.nat(),
      async (rounds, seed) => {
        const clock = stopClock();
        const dynamo = store.connect();
        const world = await setUp(dynamo);
        const observer = openTable(store.dynamo, world.table.organizationId);
        const endFaults = injectFaults(dynamo, { random: dice(seed), conflict: 0.15, throttle: 0.05, lost: 0.05 });
        for (const round of rounds) {
          // what an operation is refused for, or gives up on, is its caller's to repeat
          await Promise.all(round.map((kind) => act(world, clock, kind).catch(() => undefined)));
          await expectPlanned(observer, world.id);
        }
        endFaults();
        await sweep(world.connections);
        const { nextRunAt } = await observer.get(apexCampaigns, world.id, true);
        if (nextRunAt) expect(Date.parse(nextRunAt)).toBeGreaterThan(nowMs());
        expect(await startsOf(world)).toEqual(nextRunAt ? [nextRunAt] : []);
        await expectExact(observer, [apexTasks, apexCampaigns, apexCampaignRuns]);
      },
    ),
    { numRuns: runs(3, 15) },
  );
});
