import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { putTimer, removeTimer } from '#shared/platform/timers/timers.ts';
import { type ApexCampaign, apexCampaigns } from './apex-campaign.ts';

type Step = { table: Table; batch: Batch };
type CampaignStart = Pick<ApexCampaign, 'id' | 'nextRunAt'>;

/** Puts a change of a campaign into a batch, with the timer of its next start. */
export function changeCampaign(step: Step, campaign: ApexCampaign, changes: Partial<ApexCampaign>): ApexCampaign {
  const updated = step.batch.update(apexCampaigns, campaign, step.table.changed(campaign, changes));
  moveStart(step, updated, campaign.nextRunAt);
  return updated;
}

/** Moves the timer of a campaign's next start. @param before the time of the timer so far */
export function moveStart({ table, batch }: Step, { id, nextRunAt }: CampaignStart, before: string | null): void {
  if (before === nextRunAt) return;
  const { organizationId } = table;
  const timerOf = (at: string) => ({ at: Date.parse(at), kind: 'apex-start' as const, organizationId, id });
  if (before) batch.write(removeTimer(timerOf(before)));
  if (nextRunAt) batch.write(putTimer(timerOf(nextRunAt)));
}
