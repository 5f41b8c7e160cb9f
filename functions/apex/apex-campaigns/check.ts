import type { ApexCampaign, ApexCampaignCreate, TaskTemplate } from '#shared/apex/apex-campaign.ts';
import { assertOpen, assertOwnAppliances, targetsWithin } from '#shared/apex/new-task.ts';
import { inOrder } from '#shared/apex/templates.ts';
import { isPublicTarget, NOT_PUBLIC_PROBLEM } from '#shared/assets/targets/public.ts';
import { now, nowMs } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import { firstStart, startAfter } from '#shared/scanning/engagements/runs.ts';
import { recurrenceProblem } from '#shared/scanning/schedule/recurrence.ts';

/**
 * The campaign with its targets in their stored form.
 * @throws validation_failed, conflict, not_found
 */
export async function checkCampaign<T extends ApexCampaignCreate>(table: Table, campaign: T): Promise<T> {
  const { applianceIds, zone, taskTemplates, usePublicApex } = campaign;
  if (applianceIds.length > 0 && zone !== null) throw invalid('zone', 'give applianceIds or a zone, not both');
  if (usePublicApex && (applianceIds.length > 0 || zone !== null))
    throw invalid('usePublicApex', 'send only one of usePublicApex, applianceIds and zone');
  inOrder(taskTemplates);
  checkSize(campaign);
  const engagement = await table.get(engagements, campaign.engagementId, true);
  const types = taskTemplates.map(({ type }) => type);
  assertOpen(engagement, types, 'taskTemplates');
  await assertOwnAppliances(table, applianceIds, 'applianceIds');
  const templates = taskTemplates.map((template, n) => {
    const { targets } = template;
    if (targets.length === 0) return template;
    return { ...template, targets: targetsWithin(engagement, targets, `taskTemplates.${n}.targets`) };
  });
  checkReach({ taskTemplates: templates, usePublicApex }, engagement);
  return { ...campaign, taskTemplates: templates };
}

type Placed = { taskTemplates: readonly TaskTemplate[]; usePublicApex: boolean };

/** @throws validation_failed for a target in a zone or a private network, which no public appliance may reach */
function checkReach({ taskTemplates, usePublicApex }: Placed, engagement: Pick<Engagement, 'targets'>): void {
  if (!usePublicApex) return;
  for (const [n, { targets }] of taskTemplates.entries()) {
    const all = targets.length > 0 ? targets : engagement.targets;
    const path = `taskTemplates.${n}.targets`;
    if (all.some(({ zone }) => zone !== null)) throw invalid(path, 'must have no zone: public appliances reach none');
    const near = all.find((target) => !isPublicTarget(target));
    if (near) throw invalid(path, `${near.value} ${NOT_PUBLIC_PROBLEM}`);
  }
}

/** @throws validation_failed */
export function checkSize({
  limits: { maxTasks },
  taskTemplates,
}: Pick<ApexCampaignCreate, 'limits' | 'taskTemplates'>): void {
  if (maxTasks !== null && taskTemplates.length > maxTasks)
    throw invalid('limits.maxTasks', `must be at least ${taskTemplates.length}, the number of templates`);
}

type Planned = Pick<ApexCampaign, 'schedule' | 'createdAt' | 'runs'>;

/** The first start of a campaign with this schedule; null without a schedule. @throws validation_failed */
export function plannedStart({ schedule, createdAt, runs }: Planned): string | null {
  if (schedule === null) return null;
  const { startAt, recurrence } = schedule;
  if (recurrence === null && startAt === null)
    throw invalid('schedule.startAt', 'give startAt or a recurrence, or no schedule to run the campaign by hand');
  if (recurrence === null && Date.parse(startAt ?? createdAt) <= nowMs())
    throw invalid('schedule.startAt', 'must be in the future: to start now, run the campaign');
  const problem = recurrenceProblem({ ...schedule, startAt: startAt ?? createdAt }, nowMs());
  if (problem) throw invalid('schedule.recurrence', problem);
  const planned = { schedule, createdAt };
  return runs === 0 ? firstStart(planned) : (startAfter(planned, nowMs()) ?? now());
}
