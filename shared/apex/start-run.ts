import { outboxWrites, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { newTask, type QueuedResponse, queued, TASK_KEPT_SECONDS } from '#shared/platform/jobs/task.ts';
import { takePlace } from '#shared/platform/quotas/places.ts';
import { inSeconds, now, nowMs } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { startAfter } from '#shared/scanning/engagements/runs.ts';
import { type ApexCampaign, type ApexCampaignRun, apexCampaignRuns, apexCampaigns, noTotals } from './apex-campaign.ts';
import { changeCampaign } from './change-campaign.ts';
import { assertOpen, assertOwnAppliances } from './new-task.ts';
import { runTimer } from './run-timer.ts';
import { moveCampaign } from './settle.ts';

/**
 * Starts a run of a campaign. A queued task makes its tasks. Of two simultaneous starts one wins.
 * @throws not_found, conflict when the campaign runs already or its engagement is not open, validation_failed when one
 * of its appliances was removed, limit_exceeded
 */
export async function startRun({ connections, table }: Context, id: string): Promise<QueuedResponse> {
  moveCampaign(await table.get(apexCampaigns, id, true), 'run');
  const [runId = ''] = await table.reserve(apexCampaignRuns, 1);
  const task = newTask(table.actor, {
    operation: 'run_apex_campaign',
    job: 'apex',
    unit: 'tasks',
    input: { work: 'run', runId },
    resource: { type: 'apex_campaign_run', id: runId },
  });
  await retry(async () => {
    const campaign = await table.get(apexCampaigns, id, true);
    const status = moveCampaign(campaign, 'run');
    const engagement = await table.get(engagements, campaign.engagementId, true);
    const types = campaign.taskTemplates.map(({ type }) => type);
    assertOpen(engagement, types, 'taskTemplates');
    await assertOwnAppliances(table, campaign.applianceIds, 'applianceIds');
    const batch = table.batch();
    const startedAt = now();
    const deadlineAt = deadlineOf(campaign);
    const run = batch.create(apexCampaignRuns, newRun(table, campaign, { id: runId, startedAt, deadlineAt }));
    const currentRun = { id: runId, startedAt };
    const begun = { ...noTotals, status, statusReason: null, currentRun, lastRunId: runId };
    changeCampaign({ table, batch }, campaign, { ...begun, ...afterStart(campaign) });
    batch.write(...outboxWrites(table, task), runTimer(table, run));
    const until = inSeconds(TASK_KEPT_SECONDS);
    await takePlace(table, batch, { kind: 'tasks', id: runId, amount: types.length, until });
    await batch.commit();
  });
  await sendOutbox({ connections, table }, { task });
  return queued(task);
}

const deadlineOf = ({ limits: { maxDurationSeconds } }: ApexCampaign): string | null =>
  maxDurationSeconds === null ? null : inSeconds(maxDurationSeconds);

/** Records a start that came during the previous run as skipped. */
export async function skipStart(table: Table, campaign: ApexCampaign): Promise<void> {
  const [id = ''] = await table.reserve(apexCampaignRuns, 1);
  const batch = table.batch();
  const statusReason = 'The run before it was not done.';
  const skipped = { id, status: 'skipped', statusReason, made: true, finishedAt: now() } as const;
  batch.create(apexCampaignRuns, newRun(table, campaign, skipped));
  changeCampaign({ table, batch }, campaign, afterStart(campaign));
  await batch.commit();
}

const isDue = ({ nextRunAt }: ApexCampaign): boolean => nextRunAt !== null && Date.parse(nextRunAt) <= nowMs();

function newRun(table: Table, campaign: ApexCampaign, run: Partial<ApexCampaignRun> & { id: string }): ApexCampaignRun {
  return table.stamp<ApexCampaignRun>({
    ...noTotals,
    campaignId: campaign.id,
    engagementId: campaign.engagementId,
    status: 'running',
    statusReason: null,
    plan: [],
    made: false,
    deadlineAt: null,
    scheduledFor: isDue(campaign) ? campaign.nextRunAt : null,
    startedAt: null,
    finishedAt: null,
    ...run,
  });
}

/** The rest of a campaign's schedule after a start; null once no start follows. */
function afterStart({ schedule, createdAt, runs }: ApexCampaign) {
  const nextRunAt = schedule?.recurrence ? startAfter({ schedule, createdAt }, nowMs()) : null;
  return { runs: runs + 1, nextRunAt, ...(nextRunAt === null && { schedule: null }) };
}
