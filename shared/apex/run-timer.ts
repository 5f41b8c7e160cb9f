import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';
import type { ApexCampaignRun } from './apex-campaign.ts';

/** The interval at which the sweeper settles open runs and tasks, so that a step that broke off is repeated. */
const LOOK_SECONDS = 600;

/** The timer by which the sweeper settles a run, at its deadline at the latest. */
export function runTimer(table: Table, { id, deadlineAt }: Pick<ApexCampaignRun, 'id' | 'deadlineAt'>): Write {
  const soon = nowMs() + LOOK_SECONDS * 1000;
  const deadline = deadlineAt === null ? soon : Date.parse(deadlineAt);
  // also after the deadline: appliances that were asked to stop have not confirmed it yet
  const at = deadline > nowMs() ? Math.min(soon, deadline) : soon;
  return putTimer({ at, kind: 'apex-run', organizationId: table.organizationId, id });
}

/** The timer by which the sweeper settles a waiting task of no campaign. */
export const taskTimer = ({ organizationId }: Table, { id }: { id: string }): Write =>
  putTimer({ at: nowMs() + LOOK_SECONDS * 1000, kind: 'apex-task', organizationId, id });
