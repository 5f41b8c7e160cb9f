import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { isFinal, nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Table } from '#shared/platform/table/table.ts';
import {
  type ApexCampaign,
  type ApexCampaignRun,
  apexCampaignRuns,
  apexCampaigns,
  runStates,
} from './apex-campaign.ts';
import { changeCampaign } from './change-campaign.ts';
import { endRunAndCampaign, moveCampaign, type RunRead, readRun, settleRun, totalsOf } from './settle.ts';
import { askToStop, cancelTask, pauseLeases, unlessEnded } from './stop.ts';

type TaskError = { code: string; message: string };

const CANCELLED: TaskError = { code: 'campaign_cancelled', message: 'The campaign of the task was cancelled.' };

/** The current run with its campaign; undefined when no run goes on. */
async function currentRun(table: Table, campaign: ApexCampaign): Promise<RunRead | undefined> {
  const read = campaign.currentRun ? await readRun(table, campaign.currentRun.id) : undefined;
  return read && !isFinal(runStates, read.run.status) ? read : undefined;
}

/**
 * Cancels a campaign and its schedule. No more tasks are released: waiting tasks are cancelled, running tasks are asked
 * to stop.
 * @throws not_found, conflict when the campaign does not run
 */
export async function cancelCampaign(table: Table, id: string, reason = 'It was cancelled.'): Promise<ApexCampaign> {
  const { campaign, read } = await retry(async () => {
    const current = await table.get(apexCampaigns, id, true);
    const status = moveCampaign(current, 'cancel');
    const read = await currentRun(table, current);
    const step = { table, batch: table.batch() };
    const changes = { status, statusReason: reason, schedule: null, nextRunAt: null, currentRun: null };
    const campaign = read
      ? endRunAndCampaign(step, read, { verb: 'cancel', reason, totals: await totalsOf(table, read), forGood: true })
      : changeCampaign(step, current, changes);
    await step.batch.commit();
    return { campaign, read };
  });
  if (read) await stopTasks(table, read.run.id, CANCELLED);
  return campaign;
}

/** Ends a run that cannot go on as failed, with the reason. */
export async function failRun(table: Table, runId: string, reason: string): Promise<void> {
  const hasFailed = await retry(async () => {
    const read = await readRun(table, runId);
    if (!read || isFinal(runStates, read.run.status)) return false;
    const batch = table.batch();
    endRunAndCampaign({ table, batch }, read, { verb: 'fail', reason, totals: await totalsOf(table, read) });
    await batch.commit();
    return true;
  });
  if (hasFailed) await stopTasks(table, runId, failedFor(reason));
}

const failedFor = (message: string): TaskError => ({ code: 'campaign_failed', message });

/** Ends the tasks of a run that has ended. The run is read again: some tasks may have been leased just before. */
async function stopTasks(table: Table, runId: string, error: TaskError): Promise<void> {
  const read = await readRun(table, runId);
  for (const { id, status } of read?.tasks ?? []) {
    if (status === 'running') await askToStop(table, id, error.code);
    // a task that was leased in between is asked to stop
    if (status === 'pending') await unlessEnded(() => cancelTask(table, id, { error }));
  }
  await settleRun(table, runId);
}

/** Pauses or resumes a campaign. While it is paused no task is leased, and appliances are asked to pause their tasks. */
export async function setPaused(table: Table, id: string, isPaused: boolean): Promise<ApexCampaign> {
  const verb = isPaused ? 'pause' : 'resume';
  const { campaign, runId } = await retry(async () => {
    const current = await table.get(apexCampaigns, id, true);
    const changes = { status: moveCampaign(current, verb), updatedAt: now() };
    const read = await currentRun(table, current);
    const batch = table.batch();
    const moved = batch.update(apexCampaigns, current, table.changed(current, changes));
    if (read) {
      const status = nextState(runStates, {
        state: read.run.status,
        verb,
        name: 'run',
        offers: ['pause', 'resume', 'cancel'],
      });
      batch.update(apexCampaignRuns, read.run, table.changed(read.run, { status }));
    }
    await batch.commit();
    return { campaign: moved, runId: read?.run.id };
  });
  if (runId) await applyPause(table, runId, isPaused);
  return campaign;
}

async function applyPause(table: Table, runId: string, isPaused: boolean): Promise<void> {
  await settleRun(table, runId);
  const read = await readRun(table, runId);
  if (read) await pauseLeases(table, read.tasks, isPaused);
}

/**
 * Finishes a decision about a run that broke off before the tasks and appliances of the run heard of it. Harmless to
 * repeat. @returns whether the run is still open
 */
export async function repairRun(table: Table, run: ApexCampaignRun): Promise<boolean> {
  const { id, status, statusReason } = run;
  const isOver = isFinal(runStates, status);
  if (isOver) await stopTasks(table, id, status === 'failed' ? failedFor(statusReason ?? 'It failed.') : CANCELLED);
  else await applyPause(table, id, status === 'paused');
  return !isOver;
}
