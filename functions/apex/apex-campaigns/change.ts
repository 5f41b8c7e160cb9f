import {
  ApexCampaign,
  type ApexCampaignCreate,
  apexCampaignRuns,
  apexCampaigns,
  campaignStates,
  noTotals,
} from '#shared/apex/apex-campaign.ts';
import { assertMayLower } from '#shared/apex/approval.ts';
import { changeCampaign, moveStart } from '#shared/apex/change-campaign.ts';
import { moveCampaign, settleRun } from '#shared/apex/settle.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { checkCampaign, checkSize, plannedStart } from './check.ts';
import { showCampaign } from './show.ts';

/** @throws validation_failed, conflict, not_found */
export async function createCampaign(table: Table, wanted: ApexCampaignCreate): Promise<ApexCampaign> {
  const checked = await checkCampaign(table, wanted);
  const nextRunAt = plannedStart({ ...checked, createdAt: now(), runs: 0 });
  const [id = ''] = await table.reserve(apexCampaigns, 1);
  const status = nextRunAt ? ('scheduled' as const) : ('draft' as const);
  const fresh = { ...noTotals, id, status, statusReason: null, currentRun: null, lastRunId: null, nextRunAt, runs: 0 };
  return table.create(apexCampaigns, { ...checked, ...fresh }, (batch, campaign) =>
    moveStart({ table, batch }, campaign, null),
  );
}

const isGoing = ({ status }: ApexCampaign): boolean => campaignStates[status].complete !== undefined;

/** Fields that may change during a run. */
const EDITABLE_IN_RUN = ['name', 'description', 'limits', 'schedule', 'onTaskFailure'];

type Patch = { patch: object; ifMatch: string | undefined; caller: Caller };

/** @throws conflict for other fields during a run, insufficient_scope */
export async function updateCampaign(
  table: Table,
  id: string,
  { patch, ifMatch, caller }: Patch,
): Promise<ApexCampaign> {
  const campaign = await retry(async () => {
    const current = await table.get(apexCampaigns, id, true);
    const changes = mergePatch(ApexCampaign, current, { patch, ifMatch });
    if (!changes) return current;
    assertGated(caller, current, changes.taskTemplates);
    return change(table, current, changes);
  });
  if (campaign.currentRun) await settleRun(table, campaign.currentRun.id);
  return showCampaign(table, campaign);
}

/** A change with `null` for a template removes the template, and makes no task of it. @throws insufficient_scope */
function assertGated(
  caller: Caller,
  { taskTemplates }: ApexCampaign,
  wanted: ApexCampaign['taskTemplates'] = [],
): void {
  for (const { key, approval } of taskTemplates)
    assertMayLower(caller, approval, wanted.find((template) => template.key === key)?.approval);
}

async function change(table: Table, campaign: ApexCampaign, changes: Partial<ApexCampaign>): Promise<ApexCampaign> {
  const frozen = Object.keys(changes).filter((name) => !EDITABLE_IN_RUN.includes(name));
  if (isGoing(campaign) && frozen.length > 0)
    throw conflict(`This campaign is ${campaign.status}: change ${frozen.join(', ')} after its run.`);
  const next = { ...campaign, ...changes };
  const checked = isHarmless(changes) || isGoing(campaign) ? next : await checkCampaign(table, next);
  if (changes.limits) checkSize(next);
  const planned =
    changes.schedule === undefined ? {} : { nextRunAt: plannedStart(next), ...statusAfter(campaign, next) };
  const { taskTemplates } = checked;
  const all = { ...changes, ...(changes.taskTemplates && { taskTemplates }), ...planned };
  return table.commit((batch) => changeCampaign({ table, batch }, campaign, all));
}

/** Whether every state of an engagement allows the change: new names, or the schedule set to null. */
const isHarmless = (changes: Partial<ApexCampaign>): boolean =>
  Object.entries(changes).every(
    ([name, value]) => name === 'name' || name === 'description' || (name === 'schedule' && value === null),
  );

/** The new status of a campaign after a change of its schedule. A running campaign changes after its run. */
function statusAfter(campaign: ApexCampaign, { schedule }: ApexCampaign): Partial<ApexCampaign> {
  if (isGoing(campaign) || (campaign.status === 'scheduled') === (schedule !== null)) return {};
  return { status: moveCampaign(campaign, schedule ? 'schedule' : 'unschedule'), statusReason: null };
}

/** @throws conflict while it runs */
export async function deleteCampaign(table: Table, id: string) {
  const campaign = await table.get(apexCampaigns, id, true);
  if (isGoing(campaign)) throw conflict(`This campaign is ${campaign.status}: cancel it first.`);
  for (;;) {
    const { data } = await table.list(apexCampaignRuns, {
      paginateFrom: 0,
      paginateSize: 50,
      parent: { campaign: id },
    });
    if (data.length === 0) break;
    for (const run of data) await table.delete(apexCampaignRuns, run);
  }
  return table.delete(apexCampaigns, campaign);
}
