import { type ApexCampaign, apexCampaigns, campaignStates } from '#shared/apex/apex-campaign.ts';
import { openStates } from '#shared/platform/runtime/state-machine.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { occurrencesIn } from '#shared/scanning/schedule/recurrence.ts';
import type { Opening } from '#shared/scanning/schedule/windows.ts';
import type { CalendarEvent } from './routes.ts';

/** A run is active or paused, or a start is scheduled. */
const ACTIVE = openStates(campaignStates, 'cancel');

export type PlannedCampaign = Pick<
  ApexCampaign,
  'id' | 'name' | 'status' | 'engagementId' | 'schedule' | 'nextRunAt' | 'createdAt'
>;

export const campaignsOf = (table: Table, paging: PageRange) =>
  Promise.all(ACTIVE.map((status) => table.list(apexCampaigns, { ...paging, filter: { status } })));

/** The future starts of an Apex campaign; its past starts are its runs. */
export function campaignEvents(campaign: PlannedCampaign, span: Opening): CalendarEvent[] {
  const { id: campaignId, name: title, status, engagementId, schedule } = campaign;
  return startsOf(campaign, span).map((at) => ({
    id: schedule?.recurrence ? `campaign-${at}-${campaignId}` : `campaign-${campaignId}`,
    kind: 'campaign',
    engagementId,
    campaignId,
    title,
    status,
    startsAt: new Date(at).toISOString(),
    endsAt: null,
  }));
}

function startsOf({ schedule, nextRunAt, createdAt }: PlannedCampaign, { from, to }: Opening): number[] {
  if (!schedule || !nextRunAt) return [];
  const next = Date.parse(nextRunAt);
  if (schedule.recurrence === null) return next >= from && next < to ? [next] : [];
  const later = { from: Math.max(from, next), to };
  return later.from < to ? occurrencesIn({ ...schedule, startAt: schedule.startAt ?? createdAt }, later) : [];
}
