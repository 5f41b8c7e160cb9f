import { createCampaign } from '#functions/apex/apex-campaigns/change.ts';
import { moveEngagement } from '#functions/scanning/engagements/move.ts';
import { completeAsScanner } from '#functions/scanning/scanner-communication/complete.ts';
import { pollAsScanner } from '#functions/scanning/scanner-communication/poll.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { apexAppliances } from '#shared/apex/apex-appliance.ts';
import { ApexCampaignCreate, apexCampaigns } from '#shared/apex/apex-campaign.ts';
import { cancelCampaign, setPaused } from '#shared/apex/campaign.ts';
import { startRun } from '#shared/apex/start-run.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { createEngagement } from '#shared/scanning/engagement-tasks/create.ts';
import { EngagementCreate, engagements } from '#shared/scanning/engagements/engagement.ts';
import { cancelTask } from '#shared/scanning/fleet/cancel-task.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { scanners } from '#shared/scanning/scanners/scanner.ts';
import { nmap } from '../functions/workers/imports/reports.ts';
import { applianceDraft } from './apex.ts';
import { type FaultyWorld, type Plan, upTo } from './fault-plan.ts';
import { actAsAppliance, cancelTaskAt } from './random-appliances.ts';
import { scannerDraft } from './scanning.ts';
import { linkIn } from './scanning-world.ts';

type Outcome = 'completed' | 'failed' | 'cancelled';
/** A result of a scanner, with a port that no other result names. */
type Sent = { taskId: string; address: string; port: number; outcome: Outcome };
type Scanner = { id: string; holds: Map<string, string>; unsent?: Sent; accepted: Sent[] };

/** An organization whose engagements and campaigns are worked on by scanners and appliances. */
export type Campaign = Awaited<ReturnType<typeof startCampaign>>;

const caller = (organizationId: string): Caller => ({
  id: 'x',
  name: 'x',
  organizationId,
  kind: 'user',
  role: 'admin',
});

export async function startCampaign(world: FaultyWorld, plan: Plan) {
  const table = world.newOrganization();
  let time = Date.parse('2026-01-15T08:00:00.250Z');
  setClock(() => time);
  const link = async (): Promise<Scanner> => {
    const { id } = await linkIn(table, { entity: scanners, draft: scannerDraft() });
    return { id, holds: new Map(), accepted: [] };
  };
  const appliances = await Promise.all([1, 2].map(() => table.create(apexAppliances, applianceDraft)));
  return {
    world,
    plan,
    table,
    connections: world.connections,
    scanners: await Promise.all([1, 2, 3].map(link)),
    holds: appliances.map(({ id }) => ({ id, tasks: new Set<string>() })),
    completed: [] as string[],
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
    nextPort: portsFrom(1000),
  };
}

function portsFrom(first: number): () => number {
  let port = first;
  return () => port++;
}

const one = <T>({ plan }: Campaign, all: readonly T[]): T | undefined => all[upTo(plan, all.length)];
const everyPage = { paginateFrom: 0, paginateSize: 500 };

/** Everything that happens to a campaign, by chance in any order; what is named more often happens more often. */
export const happenings: Record<string, (campaign: Campaign) => Promise<unknown>> = {
  poll: (campaign) => poll(campaign, one(campaign, campaign.scanners)),
  complete: (campaign) => complete(campaign, one(campaign, campaign.scanners), 'completed'),
  fail: (campaign) => complete(campaign, one(campaign, campaign.scanners), 'failed'),
  'give back': (campaign) => complete(campaign, one(campaign, campaign.scanners), 'cancelled'),
  'send again': (campaign) => sendAgain(campaign, one(campaign, campaign.scanners)),
  appliance: (campaign) => {
    const kind = one(campaign, ['poll', 'poll', 'complete', 'complete', 'fail'] as const) ?? 'poll';
    return actAsAppliance(campaign, { pass: campaign.pass }, { kind, who: upTo(campaign.plan, 2) });
  },
  pass: async (campaign) => campaign.pass(30 + upTo(campaign.plan, 1500)),
  sweep: ({ connections }) => sweep(connections),
  'request an engagement': request,
  'cancel an engagement': async (campaign) => {
    const id = one(campaign, (await campaign.table.list(engagements, everyPage)).data)?.id ?? '';
    const { table, connections } = campaign;
    const move = { verb: 'cancel', reason: 'No longer wanted.', operation: 'cancel_engagement' } as const;
    return moveEngagement({ table, connections, caller: caller(table.organizationId), id }, move);
  },
  'cancel a task': async (campaign) => {
    const task = one(campaign, (await campaign.table.list(scannerTasks, everyPage)).data);
    if (task) await cancelTask(campaign.table, task.id);
  },
  'cancel an Apex task': ({ table, plan }) => cancelTaskAt(table, upTo(plan, 5)),
  'plan a campaign': planCampaign,
  'run a campaign': (campaign) => ofCampaigns(campaign, (id) => startRun(campaign, id)),
  pause: (campaign) => ofCampaigns(campaign, (id) => setPaused(campaign.table, id, true)),
  resume: (campaign) => ofCampaigns(campaign, (id) => setPaused(campaign.table, id, false)),
  'cancel a campaign': (campaign) => ofCampaigns(campaign, (id) => cancelCampaign(campaign.table, id)),
};

const as = (table: Table, id: string) =>
  openTable(table.dynamo, table.organizationId, { kind: 'machine', id, name: id });

export async function poll({ table }: Campaign, who: Scanner | undefined, capacity = 3): Promise<void> {
  if (!who) return;
  const running = [...who.holds.keys()].map((taskId) => ({ taskId, progress: 0.5 }));
  const call = { machineId: who.id, body: { capacity, running }, address: '192.0.2.1' };
  const { tasks, lost } = await pollAsScanner(as(table, who.id), call);
  for (const taskId of lost) who.holds.delete(taskId);
  for (const { id, target } of tasks) who.holds.set(id, target.value);
}

/** Sends the result that was not answered yet, or one of the next task. Its reports are two files of one scan. */
export async function complete(campaign: Campaign, who: Scanner | undefined, outcome: Outcome): Promise<void> {
  const [held] = who?.holds ?? [];
  if (!who || !(who.unsent || held)) return;
  const [taskId = '', address = ''] = held ?? [];
  who.unsent ??= { taskId, address, port: campaign.nextPort(), outcome };
  const sent = who.unsent;
  const isAccepted = await send(campaign, who, sent);
  who.holds.delete(sent.taskId);
  delete who.unsent;
  if (isAccepted) who.accepted.push(sent);
}

async function send({ table, connections }: Campaign, { id }: Scanner, { taskId, address, port, outcome }: Sent) {
  const reports = [[80, port], [443]].map((ports) => ({ format: 'nmap', content: nmap([{ address, ports }]) }));
  const result = { taskId, outcome, ...(outcome === 'completed' && { reports }) };
  const { results } = await completeAsScanner({ connections, table: as(table, id), machineId: id }, [result]);
  return results[0]?.accepted === true;
}

async function sendAgain(campaign: Campaign, who: Scanner | undefined): Promise<void> {
  const sent = who && one(campaign, who.accepted);
  if (who && sent && !(await send(campaign, who, sent))) throw new Error('a result was accepted and then refused');
}

async function request({ table, connections, plan }: Campaign): Promise<void> {
  const first = upTo(plan, 4);
  const targets = Array.from({ length: 3 + upTo(plan, 6) }, (_, n) => ({ type: 'host', value: `10.0.0.${first + n}` }));
  const body = EngagementCreate.parse({
    title: 'Test',
    kind: 'vulnerability_scan',
    taskTypes: ['network'],
    targets,
  });
  await createEngagement({ table, connections, caller: caller(table.organizationId), body } as never);
}

/** A before b, both beside c, and d after b and c. */
const templates = { a: [], b: ['a'], c: [], d: ['b', 'c'] };

async function planCampaign(campaign: Campaign): Promise<void> {
  const { table } = campaign;
  const engagementId = one(campaign, (await table.list(engagements, everyPage)).data)?.id;
  const taskTemplates = Object.entries(templates).map(([key, dependsOn]) => ({
    key,
    dependsOn,
    type: 'reconnaissance',
  }));
  const body = { name: 'x', objective: 'x', engagementId, taskTemplates, limits: { maxConcurrentTasks: 2 } };
  if (engagementId) await createCampaign(table, ApexCampaignCreate.parse(body));
}

async function ofCampaigns(campaign: Campaign, act: (id: string) => Promise<unknown>): Promise<void> {
  const found = one(campaign, (await campaign.table.list(apexCampaigns, everyPage)).data);
  if (found) await act(found.id);
}
