import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCampaign } from '#functions/apex/apex-campaigns/change.ts';
import { apexAppliances } from '#shared/apex/apex-appliance.ts';
import { ApexCampaignCreate, apexCampaignRuns, apexCampaigns } from '#shared/apex/apex-campaign.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { setPaused } from '#shared/apex/campaign.ts';
import { startRun } from '#shared/apex/start-run.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { applianceDraft } from '../../../support/apex.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import {
  APPLIANCE_STEPS,
  actAsAppliance,
  cancelTaskAt,
  isApplianceStep,
  workRun,
} from '../../../support/random-appliances.ts';
import { fakeConnections, newWorld, stopClock } from '../../../support/scanning-world.ts';
import { type Store, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectExact } from '../../../support/verify.ts';

const store = useStore();

const LIMIT = 2;
const taskTemplates = [
  { key: 'a' },
  { key: 'b', dependsOn: ['a'] },
  { key: 'c' },
  { key: 'd', dependsOn: ['b', 'c'] },
  { key: 'e', priority: 9 },
].map((template) => ({ ...template, type: 'reconnaissance' }));

const KINDS = [...APPLIANCE_STEPS, 'pause', 'resume', 'cancel'] as const;
const step = fc.record({ kind: fc.constantFrom(...KINDS), who: fc.nat({ max: 1 }), which: fc.nat({ max: 4 }) });
type Step = { kind: (typeof KINDS)[number]; who: number; which: number };

/** A campaign that runs, two appliances, and what each believes that it holds. */
async function setUp(dynamo: ReturnType<Store['connect']>) {
  const world = newWorld(dynamo);
  const { table } = world;
  const { connections } = fakeConnections(dynamo);
  const engagement = await world.engage(['10.0.0.1']);
  const wish = {
    name: 'x',
    objective: 'x',
    engagementId: engagement.id,
    taskTemplates,
    limits: { maxConcurrentTasks: LIMIT },
  };
  const campaign = await createCampaign(table, ApexCampaignCreate.parse(wish));
  const { taskId, resource } = await startRun({ connections, table }, campaign.id);
  const runId = resource?.id ?? '';
  const appliances = await Promise.all([1, 2].map(() => table.create(apexAppliances, applianceDraft)));
  const holds = appliances.map(({ id }) => ({ id, tasks: new Set<string>() }));
  const make = () => workRun({ connections, table }, taskId);
  return { table, connections, campaign, runId, holds, make, completed: [] as string[] };
}
type World = Awaited<ReturnType<typeof setUp>>;

async function act(world: World, clock: ReturnType<typeof stopClock>, { kind, who, which }: Step): Promise<void> {
  if (isApplianceStep(kind)) return actAsAppliance(world, clock, { kind, who });
  if (kind === 'cancel') return cancelTaskAt(world.table, which);
  await setPaused(world.table, world.campaign.id, kind === 'pause');
}

test('whatever appliances, operators and sweeps do in whatever order, a run keeps its limit and order and ends', async () => {
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
        // an operation that is refused, or gives up, is its caller's to repeat
        const attempt = (one: Step) => act(world, clock, one).catch(() => undefined);
        await Promise.all([world.make(), attempt({ kind: 'poll', who: 0, which: 0 })]);
        const all = async () => (await observer.list(apexTasks, { paginateFrom: 0, paginateSize: 50 })).data;
        for (const round of rounds) {
          await Promise.all(round.map(attempt));
          const underWay = (await all()).filter(({ status, released }) => status === 'running' || released);
          expect(underWay.length).toBeLessThanOrEqual(LIMIT);
        }
        endFaults();
        await attempt({ kind: 'resume', who: 0, which: 0 });
        for (let n = 0; n < 60 && (await observer.get(apexCampaigns, world.campaign.id)).currentRun; n++) {
          for (const who of [0, 1]) await attempt({ kind: 'poll', who, which: 0 });
          for (const who of [0, 0, 1, 1]) await attempt({ kind: 'complete', who, which: 0 });
          clock.pass(400);
          await attempt({ kind: 'sweep', who: 0, which: 0 });
        }
        const run = await observer.get(apexCampaignRuns, world.runId);
        const tasks = await all();
        expect(['completed', 'failed', 'cancelled']).toContain(run.status);
        expect(tasks).toHaveLength(taskTemplates.length);
        for (const { taskId, dependsOn } of run.plan) {
          const statusOf = (id: string) => tasks.find((task) => task.id === id)?.status ?? 'missing';
          expect(['completed', 'failed', 'cancelled']).toContain(statusOf(taskId));
          if (statusOf(taskId) === 'completed')
            for (const other of dependsOn) expect(statusOf(other)).toBe('completed');
        }
        for (const id of world.completed) expect(tasks.find((task) => task.id === id)?.status).toBe('completed');
        expect(new Set(world.completed).size).toBe(world.completed.length);
        await expectExact(observer, [apexTasks, apexCampaigns, apexCampaignRuns, apexAppliances]);
      },
    ),
    { numRuns: runs(2, 12) },
  );
});
