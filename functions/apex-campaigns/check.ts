import { assertOpen, targetsWithin } from '#shared/apex/new-task.ts';
import { isInFuture } from '#shared/apex/start-run.ts';
import { inOrder } from '#shared/apex/templates.ts';
import { apexAppliances } from '#shared/entities/apex-appliance.ts';
import type { ApexCampaignCreate } from '#shared/entities/apex-campaign.ts';
import { engagements } from '#shared/entities/engagement.ts';
import { invalid } from '#shared/http/errors.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * The campaign with its targets in the form in which they are compared.
 * @throws validation_failed, conflict, not_found
 */
export async function checkCampaign<T extends ApexCampaignCreate>(table: Table, campaign: T): Promise<T> {
  const { applianceIds, zone, taskTemplates, limits, usePublicApex } = campaign;
  if (usePublicApex) throw invalid('usePublicApex', "the provider's appliances are not offered yet");
  if (applianceIds.length > 0 && zone !== null) throw invalid('zone', 'give either applianceIds or a zone');
  inOrder(taskTemplates);
  if (limits.maxTasks !== null && taskTemplates.length > limits.maxTasks)
    throw invalid('limits.maxTasks', `is ${limits.maxTasks}, and the templates make ${taskTemplates.length} tasks`);
  const engagement = await table.get(engagements, campaign.engagementId, true);
  const types = taskTemplates.map(({ type }) => type);
  assertOpen(engagement, types, 'taskTemplates');
  await checkAppliances(table, applianceIds);
  const templates = taskTemplates.map((template, n) => {
    const { targets } = template;
    if (targets.length === 0) return template;
    return { ...template, targets: targetsWithin(engagement, targets, `taskTemplates.${n}.targets`) };
  });
  return { ...campaign, taskTemplates: templates };
}

async function checkAppliances(table: Table, ids: readonly string[]): Promise<void> {
  const found = new Set((await table.findMany(apexAppliances, ids)).map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw invalid('applianceIds', `there is no appliance ${missing}`);
}

/** @throws validation_failed */
export function checkSchedule({ schedule }: Pick<ApexCampaignCreate, 'schedule'>): void {
  if (schedule && !isInFuture(schedule)) throw invalid('schedule.startAt', 'has passed: run the campaign instead');
}
