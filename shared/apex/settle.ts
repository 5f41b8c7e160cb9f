import { now } from '#shared/platform/runtime/clock.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { isFinal, nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { getRows } from '#shared/platform/table/io/read.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { listItemOf } from '#shared/platform/table/layout/record.ts';
import { batchOfMany } from '#shared/platform/table/many.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { TaskTaken } from '#shared/scanning/scanner-tasks/queue.ts';
import {
  type ApexCampaign,
  type ApexCampaignRun,
  apexCampaignRuns,
  apexCampaigns,
  type CampaignVerb,
  campaignStates,
  type RunStatus,
  runStates,
} from './apex-campaign.ts';
import type { ApexTaskListItem } from './apex-task.ts';
import { type ApexTask, apexTasks, type TokenUsage } from './apex-task.ts';
import { usageOf } from './budget.ts';
import { changeCampaign } from './change-campaign.ts';
import { finish, hold, release } from './moves.ts';
import { countFindings, countTasks, decideRun, type RunDecision } from './run-rules.ts';
import { releaseDependents } from './standalone.ts';
import { askToStop } from './stop.ts';
import { isHeldForWindow } from './window.ts';

/** A run with its campaign and its tasks, read at one moment. */
export type RunRead = { run: ApexCampaignRun; campaign: ApexCampaign; tasks: ApexTaskListItem[] };

export async function readRun(table: Table, runId: string): Promise<RunRead | undefined> {
  const run = await table.find(apexCampaignRuns, runId, true);
  const campaign = run && (await table.find(apexCampaigns, run.campaignId, true));
  if (!run || !campaign) return undefined;
  const keys = keysOf(table.tenant, apexTasks);
  const records = run.plan.map(({ taskId }) => keys.record(ordinalOf(taskId)));
  const rows = await getRows(table.dynamo, records, true);
  const read = rows.map((row) => listItemOf<ApexTask, never>(row));
  return { run, campaign, tasks: read.filter((task) => task.runId === runId) };
}

/**
 * Moves a run on: releases tasks that may begin, cancels tasks that never will, and ends the run after its last task.
 * Harmless to repeat: every step that may end a task calls it afterwards, and the sweeper from time to time. Each step
 * is conditional on the run that was read, so that two steps at once never release more than the limit.
 */
export async function settleRun(table: Table, runId: string): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const decision = await retry(() => settleOnce(table, runId));
    for (const { task, reason } of decision?.stop ?? []) await askToStop(table, task.id, reason);
    if (!decision || decision.end || sizeOf(decision) === 0) return;
  }
}

const sizeOf = ({ cancel, hold: held, release: freed }: RunDecision) => cancel.length + held.length + freed.length;

async function settleOnce(table: Table, runId: string): Promise<RunDecision | undefined> {
  const read = await readRun(table, runId);
  if (!read) return undefined;
  if (isFinal(runStates, read.run.status)) return refreshTotals(table, read);
  // the run ended between the two reads: run and campaign are of two moments
  if (read.campaign.currentRun?.id !== runId) throw new TaskTaken();
  const isOutsideWindow = await isHeldForWindow(table, read.tasks);
  const decision = decideRun({ ...read, time: now(), isOutsideWindow });
  if (decision.end) await endRun(table, read, decision.end);
  else if (sizeOf(decision) > 0) await apply(table, read, decision);
  return decision;
}

/** Does as much of a decision as fits a transaction; the rest is decided again. */
async function apply(table: Table, { run }: RunRead, decision: RunDecision): Promise<void> {
  const moves = [
    ...decision.cancel.map((cancel) => ({ cancel })),
    ...decision.hold.map((held) => ({ held })),
    ...decision.release.map((freed) => ({ freed })),
  ];
  const { batch } = await batchOfMany(table.batch, moves, async (batch, some) => {
    const step = { table, batch };
    for (const move of some) {
      if ('cancel' in move) finish(step, move.cancel.task, { verb: 'cancel', error: move.cancel.error });
      if ('held' in move) hold(step, move.held.task, move.held.reason);
    }
    const freed = some.flatMap((move) => ('freed' in move ? [move.freed] : []));
    await release(step, freed);
    batch.update(apexCampaignRuns, run, table.changed(run, {}));
  });
  await batch.commit();
}

/** The counts, findings and usage of a run. */
export async function totalsOf(table: Table, { run, tasks }: Pick<RunRead, 'run' | 'tasks'>) {
  const metered = await usageOf(table, { runId: run.id });
  const usage = metered.calls > 0 ? metered : addUp(tasks.map((task) => task.usage));
  return { tasks: countTasks(tasks), findings: countFindings(tasks), usage };
}

const addUp = (usages: readonly TokenUsage[]): TokenUsage => ({
  inputTokens: usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
  outputTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  calls: usages.reduce((sum, { calls }) => sum + calls, 0),
  seconds: usages.reduce((sum, { seconds }) => sum + seconds, 0),
});

const VERBS: Partial<Record<RunStatus, 'complete' | 'fail' | 'cancel'>> = {
  completed: 'complete',
  failed: 'fail',
  cancelled: 'cancel',
};

async function endRun(table: Table, read: RunRead, { status, reason }: NonNullable<RunDecision['end']>) {
  const batch = table.batch();
  endRunAndCampaign({ table, batch }, read, {
    verb: VERBS[status] ?? 'complete',
    reason,
    totals: await totalsOf(table, read),
  });
  await batch.commit();
}

type RunEnd = {
  verb: 'complete' | 'fail' | 'cancel';
  reason: string | null;
  totals: Awaited<ReturnType<typeof totalsOf>>;
  /** Drops the schedule too: no start follows. */
  forGood?: true;
};

/** Ends a run and its campaign together. A campaign with a next start is scheduled again. */
export function endRunAndCampaign(
  { table, batch }: { table: Table; batch: Batch },
  read: RunRead,
  ending: RunEnd,
): ApexCampaign {
  const { run, campaign } = read;
  const { verb, reason, totals, forGood } = ending;
  const status = nextState(runStates, { state: run.status, verb, name: 'run', offers: ['pause', 'resume', 'cancel'] });
  const ended = { ...totals, status, statusReason: reason, finishedAt: now() };
  batch.update(apexCampaignRuns, run, table.changed(run, ended));
  return changeCampaign({ table, batch }, campaign, {
    ...totals,
    ...(forGood && { schedule: null, nextRunAt: null }),
    status: moveCampaign(campaign, campaign.nextRunAt && !forGood ? 'schedule' : verb),
    statusReason: reason,
    currentRun: null,
  });
}

export const moveCampaign = ({ status }: Pick<ApexCampaign, 'status'>, verb: CampaignVerb) =>
  nextState(campaignStates, { state: status, verb, name: 'campaign', offers: ['run', 'cancel'] });

/** Counts tasks that ended after their run was cancelled in the history of the run. */
async function refreshTotals(table: Table, read: RunRead): Promise<undefined> {
  const totals = await totalsOf(table, read);
  const { run, campaign } = read;
  if (JSON.stringify(totals.tasks) === JSON.stringify(pickCounts(run.tasks))) return;
  await table.update(apexCampaignRuns, run, totals, (batch) => {
    if (campaign.lastRunId === run.id) batch.update(apexCampaigns, campaign, table.changed(campaign, totals));
  });
}

const pickCounts = ({ pending, running, completed, failed, cancelled }: ApexCampaignRun['tasks']) => ({
  pending,
  running,
  completed,
  failed,
  cancelled,
});

/** Continues after tasks that ended or returned: with the run of a campaign's task, with the dependents of another. */
export async function settleTasks(table: Table, tasks: readonly ApexTask[]): Promise<void> {
  const runIds = new Set(tasks.flatMap(({ runId }) => (runId === null ? [] : [runId])));
  for (const runId of runIds) await settleRun(table, runId);
  for (const task of tasks) if (task.runId === null) await releaseDependents(table, task);
}
