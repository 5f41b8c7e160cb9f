import { inSeconds, now, nowMs } from '../clock.ts';
import {
  type ApexCampaign,
  type ApexCampaignRun,
  apexCampaignRuns,
  apexCampaigns,
  noTotals,
} from '../entities/apex-campaign.ts';
import { engagements } from '../entities/engagement.ts';
import { newTask, type QueuedResponse, queued } from '../jobs/task.ts';
import { putAlarm, removeAlarm } from '../machines/alarms.ts';
import type { Ports } from '../ports.ts';
import { outboxWrites, sendOutbox } from '../scanning/outbox.ts';
import type { Batch } from '../table/batch.ts';
import type { Table } from '../table/table.ts';
import { assertOpen } from './new-task.ts';
import { whileOvertaken } from './presence.ts';
import { runAlarm } from './run-alarm.ts';
import { moveCampaign } from './settle.ts';

/**
 * Starts a run of a campaign; a queued task makes its tasks. Of two starts at once one wins.
 * @throws not_found, conflict when it runs already or its engagement is not open
 */
export async function startRun(ports: Ports, table: Table, id: string): Promise<QueuedResponse> {
  moveCampaign(await table.get(apexCampaigns, id, true), 'run');
  const [runId = ''] = await table.reserve(apexCampaignRuns, 1);
  const task = newTask(table.actor.id, {
    operation: 'run_apex_campaign',
    job: 'apex',
    unit: 'tasks',
    input: { work: 'run', runId },
    resource: { type: 'apex_campaign_run', id: runId },
  });
  await whileOvertaken(async () => {
    const campaign = await table.get(apexCampaigns, id, true);
    const status = moveCampaign(campaign, 'run');
    const engagement = await table.get(engagements, campaign.engagementId, true);
    const types = campaign.taskTemplates.map(({ type }) => type);
    assertOpen(engagement, types, 'taskTemplates');
    const batch = table.batch();
    const run = batch.create(apexCampaignRuns, newRun(table, campaign, runId));
    const currentRun = { id: runId, startedAt: run.startedAt };
    const runs = campaign.runs + 1;
    const changes = { ...noTotals, status, statusReason: null, currentRun, lastRunId: runId, runs, schedule: null };
    batch.update(apexCampaigns, campaign, table.changed(campaign, changes));
    batch.write(...outboxWrites(table, task), runAlarm(table, run));
    moveStart(table, batch, { from: campaign, to: null });
    await batch.commit();
  });
  await sendOutbox(ports, table, { task });
  return queued(task);
}

function newRun(table: Table, { id, engagementId, limits }: ApexCampaign, runId: string): ApexCampaignRun {
  const { maxDurationSeconds } = limits;
  return table.stamp<ApexCampaignRun>({
    ...noTotals,
    id: runId,
    campaignId: id,
    engagementId,
    status: 'running',
    statusReason: null,
    plan: [],
    made: false,
    deadlineAt: maxDurationSeconds === null ? null : inSeconds(maxDurationSeconds),
    startedAt: now(),
    finishedAt: null,
  });
}

type Starting = Pick<ApexCampaign, 'id' | 'schedule'>;

/** Moves the moment at which the sweeper starts a campaign. */
export function moveStart(
  table: Table,
  batch: Batch,
  { from, to }: { from: Starting | null; to: Starting | null },
): void {
  const alarmOf = ({ id, schedule }: Starting) =>
    schedule && ({ at: startOf(schedule), kind: 'apex-start', organizationId: table.organizationId, id } as const);
  const [before, after] = [from && alarmOf(from), to && alarmOf(to)];
  if (before?.at === after?.at) return;
  if (before) batch.write(removeAlarm(before));
  if (after) batch.write(putAlarm(after));
}

/** Milliseconds. */
export const startOf = ({ startAt }: NonNullable<ApexCampaign['schedule']>): number => Date.parse(startAt);
export const isInFuture = (schedule: NonNullable<ApexCampaign['schedule']>): boolean => startOf(schedule) > nowMs();
