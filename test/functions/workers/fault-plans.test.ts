import { afterAll, afterEach, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { apexAppliances } from '#shared/apex/apex-appliance.ts';
import { apexCampaignRuns, apexCampaigns } from '#shared/apex/apex-campaign.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { setPaused } from '#shared/apex/campaign.ts';
import { apexPresences } from '#shared/apex/presence.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { readScope } from '#shared/findings/view/scan-scope.ts';
import { isFinished } from '#shared/platform/jobs/task.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { showEngagement } from '#shared/scanning/engagement-tasks/show.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { engagementRuns } from '#shared/scanning/engagements/engagement-run.ts';
import { scannerPresences } from '#shared/scanning/fleet/presence.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { scanners } from '#shared/scanning/scanners/scanner.ts';
import { type Campaign, complete, happenings, poll, startCampaign } from '../../support/fault-campaign.ts';
import { CALM, planOf, seeds, startFaultyWorld, upTo } from '../../support/fault-plan.ts';
import { actAsAppliance } from '../../support/random-appliances.ts';
import { expectExact } from '../../support/verify.ts';
import { allFindings } from './imports/expectations.ts';

const world = await startFaultyWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const OFTEN = [
  'poll',
  'poll',
  'poll',
  'complete',
  'complete',
  'complete',
  'complete',
  'appliance',
  'appliance',
  'sweep',
];
const kinds = [...OFTEN, ...OFTEN, ...OFTEN, ...Object.keys(happenings)];

const all = { paginateFrom: 0, paginateSize: 500 };
const isOver = ({ status }: { status: string }) => ['completed', 'failed', 'cancelled'].includes(status);

const isCompleted = ({ status }: { status: string }) => status === 'completed';

async function isDone({ table }: Campaign): Promise<boolean> {
  const lists = await Promise.all([table.list(scannerTasks, all), table.list(apexTasks, all)]);
  const works = await table.list(engagements, all);
  for (const { id } of works.data) await showEngagement(table, await table.get(engagements, id));
  const campaigns = await table.list(apexCampaigns, all);
  return (
    world.messages.length + world.dead.length === 0 &&
    [...lists, works].every(({ data }) => data.every(isOver)) &&
    campaigns.data.every(({ currentRun }) => !currentRun)
  );
}

/** Nothing fails any more and the operator redrives the dead letters: all work ends. */
async function finishAll(campaign: Campaign): Promise<void> {
  const { table, connections } = campaign;
  for (const { id, status } of (await table.list(apexCampaigns, all)).data)
    if (status === 'paused') await setPaused(table, id, false);
  for (let round = 0; round < 40 && (round < 3 || !(await isDone(campaign))); round++) {
    world.redrive();
    await world.deliverAll(CALM, 0);
    for (const who of campaign.scanners) {
      await poll(campaign, who, 10);
      while (who.unsent || who.holds.size > 0) await complete(campaign, who, 'completed');
    }
    for (const kind of ['poll', 'complete', 'complete'] as const)
      for (const who of [0, 1]) await actAsAppliance(campaign, { pass: campaign.pass }, { kind, who });
    campaign.pass(400);
    await sweep(connections);
  }
}

/** Every task of a job has ended, by itself or with a reason that its owner can act on; no scan scope is held. */
async function expectEnded({ table }: Campaign): Promise<void> {
  const tasks = await world.tasksOf(table);
  const left = tasks.filter((task) => !isFinished(task) || task.error?.code === 'dead_lettered');
  expect(left.map(({ operation, status, error }) => ({ operation, status, error }))).toEqual([]);
  for (const scope of new Set(tasks.flatMap(({ input }) => (input.scope ? [String(input.scope)] : [])))) {
    const { holder, waiting } = await readScope(table, scope);
    expect({ holder, waiting }).toEqual({ holder: undefined, waiting: [] });
  }
}

/** Each accepted result is worked once: its task is completed, and the findings of its report are there. */
async function expectResults({ table, scanners: believers, completed }: Campaign): Promise<void> {
  const accepted = believers.flatMap((who) => who.accepted).filter(({ outcome }) => outcome === 'completed');
  const done = (await table.list(scannerTasks, all)).data.filter(isCompleted);
  expect(accepted.map(({ taskId }) => taskId).toSorted()).toEqual(done.map(({ id }) => id).toSorted());
  const found = await allFindings({ connections: world.connections, table });
  const places = Map.groupBy(found, ({ location }) => location);
  for (const { address, port } of accepted)
    expect(places.get(`${address}:${port}/tcp`)?.map(({ occurrences }) => occurrences)).toEqual([1]);
  const apexDone = (await table.list(apexTasks, all)).data.filter(isCompleted);
  expect(new Set(completed).size).toBe(completed.length);
  expect(apexDone.map(({ id }) => id)).toEqual(expect.arrayContaining(completed));
}

async function expectNothingHeld({ table, scanners: believers, holds }: Campaign): Promise<void> {
  for (const { id } of believers)
    expect((await table.rows(scannerPresences).find({ machineId: id }, true))?.leases ?? {}).toEqual({});
  for (const { id } of holds)
    expect((await table.rows(apexPresences).find({ machineId: id }, true))?.leases ?? {}).toEqual({});
}

test.each(seeds)(
  'plan %i of faults and kills ends every engagement and campaign, and takes each accepted result once',
  async (seed) => {
    const plan = planOf(seed);
    world.begin(CALM);
    const campaign = await startCampaign(world, plan);
    await happenings['request an engagement']?.(campaign);
    await happenings['plan a campaign']?.(campaign);
    await happenings['run a campaign']?.(campaign);
    world.begin(plan);
    for (let step = 0; step < 80; step++) {
      if (plan.random() < 0.4) await world.deliverNext(plan, 0.4);
      const kind = kinds[upTo(plan, kinds.length)] ?? 'poll';
      await world.call(plan, async () => happenings[kind]?.(campaign));
      campaign.pass(1);
    }
    await world.deliverAll(plan, 0.6);
    world.begin(CALM);
    await finishAll(campaign);
    expect(await isDone(campaign)).toBe(true);
    await expectEnded(campaign);
    await expectResults(campaign);
    await expectNothingHeld(campaign);
    const { table } = campaign;
    await expectExact(table, [scannerTasks, scanners, engagements, engagementRuns]);
    await expectExact(table, [apexTasks, apexCampaigns, apexCampaignRuns, apexAppliances, findings, assets]);
  },
);
