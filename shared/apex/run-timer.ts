import type { ApexCampaignRun } from '../entities/apex-campaign.ts';
import { nowMs } from '../runtime/clock.ts';
import type { Write } from '../table/io/commit.ts';
import type { Table } from '../table/table.ts';
import { putTimer } from '../timers/timers.ts';

/** How often the sweeper looks at what has not ended: what broke off between two steps goes on then. */
const LOOK_SECONDS = 600;

/** Sets the next look of the sweeper at a run, at its deadline at the latest. */
export function runTimer(table: Table, { id, deadlineAt }: Pick<ApexCampaignRun, 'id' | 'deadlineAt'>): Write {
  const soon = nowMs() + LOOK_SECONDS * 1000;
  const deadline = deadlineAt === null ? soon : Date.parse(deadlineAt);
  // After the deadline again after a while: appliances that were asked to stop have not confirmed it yet.
  const at = deadline > nowMs() ? Math.min(soon, deadline) : soon;
  return putTimer({ at, kind: 'apex-run', organizationId: table.organizationId, id });
}

/** Sets the next look of the sweeper at a task of no campaign that waits. */
export const taskTimer = ({ organizationId }: Table, { id }: { id: string }): Write =>
  putTimer({ at: nowMs() + LOOK_SECONDS * 1000, kind: 'apex-task', organizationId, id });
