import { apexCampaigns } from '#shared/apex/apex-campaign.ts';
import { changeCampaign } from '#shared/apex/change-campaign.ts';
import { moveCampaign } from '#shared/apex/settle.ts';
import { skipStart, startRun } from '#shared/apex/start-run.ts';
import { ApiError, Overtaken } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Timer } from '#shared/platform/timers/timers.ts';
import type { Due } from './due.ts';

/**
 * Runs a campaign at the times of its schedule. A campaign that may no longer run becomes a draft with the reason. The
 * timer changes with the campaign; the next sweep sees a change in between.
 */
export async function startCampaign({ table, connections, timer, drop }: Due): Promise<void> {
  const next = await retry(() => meet(table, timer));
  if (next === 'drop') return drop();
  if (next === 'skipped') return;
  try {
    await startRun({ connections, table }, timer.id);
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof Overtaken) throw error;
    await unschedule(table, timer.id, error.message);
  }
}

async function meet(table: Table, { id, at }: Timer): Promise<'drop' | 'skipped' | 'start'> {
  const campaign = await table.find(apexCampaigns, id, true);
  if (!campaign?.nextRunAt || Date.parse(campaign.nextRunAt) !== at) return 'drop';
  if (!campaign.currentRun) return 'start';
  await skipStart(table, campaign);
  return 'skipped';
}

const unschedule = (table: Table, id: string, statusReason: string): Promise<void> =>
  retry(async () => {
    const campaign = await table.find(apexCampaigns, id, true);
    if (campaign?.status !== 'scheduled') return;
    const status = moveCampaign(campaign, 'unschedule');
    await table.commit((batch) =>
      changeCampaign({ table, batch }, campaign, { status, statusReason, schedule: null, nextRunAt: null }),
    );
  });
