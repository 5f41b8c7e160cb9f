import { apexCampaignRuns } from '#shared/apex/apex-campaign.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { repairRun } from '#shared/apex/campaign.ts';
import { runTimer } from '#shared/apex/run-timer.ts';
import { settleRun } from '#shared/apex/settle.ts';
import { repairStandalone } from '#shared/apex/standalone.ts';
import { isHeldForWindow, waitForNextWindow } from '#shared/apex/window.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Timer } from '#shared/platform/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

/**
 * A run that has not ended goes on, or ends at its deadline; the sweeper looks again later. A run that has ended is
 * looked at once more, for its tasks must end too.
 */
export async function sweepRun({ dynamo }: Connections, timer: Timer): Promise<void> {
  const table = tableOf(dynamo, timer);
  const run = await table.find(apexCampaignRuns, timer.id, true);
  if (run && (await repairRun(table, run))) {
    const batch = table.batch();
    batch.write(runTimer(table, run));
    await batch.commit();
  }
  await dropTimer(dynamo, timer);
}

/** A task that waits goes on: a window of its engagement has opened, or a dependency may have ended. */
export async function sweepTask({ dynamo }: Connections, timer: Timer): Promise<void> {
  const table = tableOf(dynamo, timer);
  const task = await table.find(apexTasks, timer.id, true);
  if (task?.status === 'pending') {
    if (await isHeldForWindow(table, [task])) await waitForNextWindow(table, task);
    else if (task.runId === null) await repairStandalone(table, task.id);
    else await settleRun(table, task.runId);
  }
  await dropTimer(dynamo, timer);
}
