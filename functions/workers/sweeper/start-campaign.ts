import { whileOvertaken } from '#shared/apex/presence.ts';
import { moveCampaign } from '#shared/apex/settle.ts';
import { startOf, startRun } from '#shared/apex/start-run.ts';
import { apexCampaigns } from '#shared/entities/apex-campaign.ts';
import { ApiError } from '#shared/http/errors.ts';
import type { Alarm } from '#shared/machines/alarms.ts';
import type { Ports } from '#shared/ports.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { dropAlarm } from './drop-alarm.ts';

/** A campaign runs at the time of its schedule. One that may not any more is a draft again, and says why. */
export async function startCampaign(ports: Ports, alarm: Alarm): Promise<void> {
  const table = openTable(ports.dynamo, alarm.organizationId);
  const campaign = await table.find(apexCampaigns, alarm.id, true);
  const isDue = campaign?.status === 'scheduled' && campaign.schedule && startOf(campaign.schedule) === alarm.at;
  try {
    if (isDue) await startRun(ports, table, alarm.id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await unschedule(table, alarm.id, error.message);
  }
  await dropAlarm(ports.dynamo, alarm);
}

const unschedule = (table: Table, id: string, statusReason: string): Promise<void> =>
  whileOvertaken(async () => {
    const campaign = await table.find(apexCampaigns, id, true);
    if (campaign?.status !== 'scheduled') return;
    const status = moveCampaign(campaign, 'unschedule');
    await table.update(apexCampaigns, campaign, { status, statusReason, schedule: null });
  });
