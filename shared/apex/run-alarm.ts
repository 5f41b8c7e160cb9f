import { nowMs } from '../clock.ts';
import type { ApexCampaignRun } from '../entities/apex-campaign.ts';
import { putAlarm } from '../machines/alarms.ts';
import type { Write } from '../table/commit.ts';
import type { Table } from '../table/table.ts';

/** How often the sweeper looks at a run that has not ended: what broke off between two steps goes on then. */
const LOOK_SECONDS = 600;

/** Sets the next look of the sweeper at a run, at its deadline at the latest. */
export function runAlarm(table: Table, { id, deadlineAt }: Pick<ApexCampaignRun, 'id' | 'deadlineAt'>): Write {
  const soon = nowMs() + LOOK_SECONDS * 1000;
  const deadline = deadlineAt === null ? soon : Date.parse(deadlineAt);
  // After the deadline again after a while: appliances that were asked to stop have not confirmed it yet.
  const at = deadline > nowMs() ? Math.min(soon, deadline) : soon;
  return putAlarm({ at, kind: 'apex-run', organizationId: table.organizationId, id });
}
