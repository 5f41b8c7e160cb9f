import {
  type ApexCampaign,
  type ApexCampaignRun,
  apexCampaignRuns,
  runStates,
  type TaskTemplate,
} from '#shared/apex/apex-campaign.ts';
import { type ApexTask, apexTasks } from '#shared/apex/apex-task.ts';
import { failRun } from '#shared/apex/campaign.ts';
import { assertOpen, newApexTask } from '#shared/apex/new-task.ts';
import { readRun, settleRun } from '#shared/apex/settle.ts';
import { inOrder } from '#shared/apex/templates.ts';
import { endsTask, TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { giveUpPlace, usePlaces } from '#shared/platform/quotas/places.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import { batchOfMany } from '#shared/platform/table/many.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';

/**
 * Makes the tasks of a run. The plan with all ids is written before the first task, so that a repeated message makes
 * only the missing tasks. A cancelled run gets no more tasks.
 */
export async function makeRun({ table }: Work, runId: string): Promise<Record<string, unknown>> {
  try {
    await retry(() => writePlan(table, runId));
    while (!(await retry(() => makeSome(table, runId)))) {}
  } catch (error) {
    // a run that can never succeed (a changed engagement scope no longer has a template's targets) must not stay open;
    // a run that other writers overtook too often goes on with its next delivery
    if (endsTask(error)) {
      await giveUpPlace(table, 'tasks', runId);
      await failRun(table, runId, error.message);
    }
    throw error;
  }
  await giveUpPlace(table, 'tasks', runId);
  await settleRun(table, runId);
  const run = await table.get(apexCampaignRuns, runId, true);
  return { runId, campaignId: run.campaignId, tasks: run.plan.length };
}

async function read(table: Table, runId: string) {
  const found = await readRun(table, runId);
  const engagement = found && (await table.find(engagements, found.campaign.engagementId, true));
  if (!found || !engagement) throw new TaskFailure('not_found', 'The campaign or its engagement was removed.');
  return { ...found, engagement };
}

async function writePlan(table: Table, runId: string): Promise<void> {
  const { run, campaign } = await read(table, runId);
  if (run.plan.length > 0 || isFinal(runStates, run.status)) return;
  const templates = inOrder(campaign.taskTemplates);
  const ids = await table.reserve(apexTasks, templates.length);
  const idOf = new Map(templates.map(({ key }, n) => [key, ids[n] ?? '']));
  const plan = templates.map(({ key, dependsOn }) => ({
    key,
    taskId: idOf.get(key) ?? '',
    dependsOn: dependsOn.map((other) => idOf.get(other) ?? ''),
  }));
  await table.update(apexCampaignRuns, run, { plan });
}

/** Makes some tasks, conditional on the run that was read: a cancellation stops this. @returns whether all are made */
async function makeSome(table: Table, runId: string): Promise<boolean> {
  const { run, campaign, tasks, engagement } = await read(table, runId);
  if (run.made || isFinal(runStates, run.status)) return true;
  // the engagement may have ended just after the start of the run, when its end could not see the run
  assertOpen(engagement, [], 'taskTemplates');
  const there = new Set(tasks.map(({ id }) => id));
  const missing = run.plan.flatMap((planned, n) => (there.has(planned.taskId) ? [] : [{ ...planned, n }]));
  const { batch, left } = await batchOfMany(table.batch, missing, (batch, some) => {
    for (const planned of some) {
      const template = campaign.taskTemplates.find(({ key }) => key === planned.key);
      if (template) batch.create(apexTasks, taskOf(table, { run, campaign, engagement, template, planned }));
    }
    batch.write(usePlaces(table.tenant, { kind: 'tasks', id: runId, amount: some.length }));
    batch.update(apexCampaignRuns, run, table.changed(run, { made: some.length === missing.length }));
  });
  await batch.commit();
  return left.length === 0;
}

type TaskParts = {
  run: ApexCampaignRun;
  campaign: ApexCampaign;
  engagement: Engagement;
  template: TaskTemplate;
  planned: ApexCampaignRun['plan'][number] & { n: number };
};

/** A task from a template. The named appliances of a campaign take turns. */
function taskOf(table: Table, { run, campaign, engagement, template, planned }: TaskParts): ApexTask {
  const { applianceIds, zone, usePublicApex } = campaign;
  const { type, title, targets, parameters, approval, priority, maxAttempts, timeoutSeconds } = template;
  return table.stamp<ApexTask>({
    ...newApexTask(engagement, {
      engagementId: engagement.id,
      type,
      title,
      objective: template.objective ?? campaign.objective,
      targets,
      parameters,
      applianceId: applianceIds[planned.n % Math.max(1, applianceIds.length)] ?? null,
      priority,
      dependsOn: planned.dependsOn,
      approval,
      limits: { maxTokens: null, timeoutSeconds },
    }),
    id: planned.taskId,
    zone,
    usePublicApex,
    campaignId: campaign.id,
    runId: run.id,
    templateKey: template.key,
    maxAttempts,
    waitingReason: 'dependencies',
  });
}
