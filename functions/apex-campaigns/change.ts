import { whileOvertaken } from '#shared/apex/presence.ts';
import { moveCampaign, settleRun } from '#shared/apex/settle.ts';
import { moveStart } from '#shared/apex/start-run.ts';
import {
  ApexCampaign,
  type ApexCampaignCreate,
  apexCampaignRuns,
  apexCampaigns,
  noTotals,
} from '#shared/entities/apex-campaign.ts';
import { conflict } from '#shared/http/errors.ts';
import { mergePatch } from '#shared/http/records.ts';
import type { Table } from '#shared/table/table.ts';
import { checkCampaign, checkSchedule, checkSize } from './check.ts';
import { showCampaign } from './show.ts';

/** @throws validation_failed, conflict, not_found */
export async function createCampaign(table: Table, wanted: ApexCampaignCreate): Promise<ApexCampaign> {
  const checked = await checkCampaign(table, wanted);
  checkSchedule(checked);
  const [id = ''] = await table.reserve(apexCampaigns, 1);
  const batch = table.batch();
  const status = checked.schedule ? ('scheduled' as const) : ('draft' as const);
  const fresh = { ...noTotals, id, status, statusReason: null, currentRun: null, lastRunId: null, runs: 0 };
  const campaign = batch.create(apexCampaigns, table.stamp<ApexCampaign>({ ...checked, ...fresh }));
  moveStart(table, batch, { from: null, to: campaign });
  await batch.commit();
  return campaign;
}

const isGoing = ({ status }: ApexCampaign): boolean => status === 'running' || status === 'paused';

/** What a run that goes on does not hold on to. */
const FREE = ['name', 'description', 'limits', 'onTaskFailure'];

type Patching = { patch: object; ifMatch: string | undefined };

/** What is counted while it runs may come back as it was read a while ago. */
const LIVE = ['tasks', 'findings', 'usage'];
const settingsOf = (patch: object): object =>
  Object.fromEntries(Object.entries(patch).filter(([name]) => !LIVE.includes(name)));

/** @throws conflict for what is frozen while it runs */
export async function updateCampaign(table: Table, id: string, { patch, ifMatch }: Patching): Promise<ApexCampaign> {
  const campaign = await whileOvertaken(async () => {
    const standing = await table.get(apexCampaigns, id, true);
    const changes = mergePatch(ApexCampaign, standing, { patch: settingsOf(patch), ifMatch });
    return changes ? change(table, standing, changes) : standing;
  });
  if (campaign.currentRun) await settleRun(table, campaign.currentRun.id);
  return showCampaign(table, campaign);
}

async function change(table: Table, campaign: ApexCampaign, changes: Partial<ApexCampaign>): Promise<ApexCampaign> {
  const frozen = Object.keys(changes).filter((name) => !FREE.includes(name));
  if (isGoing(campaign) && frozen.length > 0)
    throw conflict(`This campaign is ${campaign.status}: ${frozen.join(', ')} can be changed once it has ended.`);
  const next = { ...campaign, ...changes };
  const isRenamed = Object.keys(changes).every((name) => name === 'name' || name === 'description');
  const checked = isRenamed || isGoing(campaign) ? next : await checkCampaign(table, next);
  if (changes.limits) checkSize(next);
  if (changes.schedule) checkSchedule(next);
  const batch = table.batch();
  const { taskTemplates } = checked;
  const moved = { ...changes, ...(changes.taskTemplates && { taskTemplates }), status: statusAfter(campaign, changes) };
  const updated = batch.update(apexCampaigns, campaign, table.changed(campaign, moved));
  moveStart(table, batch, { from: campaign, to: updated });
  await batch.commit();
  return updated;
}

function statusAfter(campaign: ApexCampaign, { schedule }: Partial<ApexCampaign>): ApexCampaign['status'] {
  if (schedule && campaign.status !== 'scheduled') return moveCampaign(campaign, 'schedule');
  if (schedule === null && campaign.status === 'scheduled') return moveCampaign(campaign, 'unschedule');
  return campaign.status;
}

/** @throws conflict while it runs */
export async function deleteCampaign(table: Table, id: string) {
  const campaign = await table.get(apexCampaigns, id, true);
  if (isGoing(campaign)) throw conflict(`This campaign is ${campaign.status}: cancel it first.`);
  for (;;) {
    const parent = { list: 'campaign', id };
    const { data } = await table.list(apexCampaignRuns, { paginateFrom: 0, paginateSize: 50, parent });
    if (data.length === 0) break;
    for (const run of data) await table.delete(apexCampaignRuns, run);
  }
  return table.delete(apexCampaigns, campaign);
}
