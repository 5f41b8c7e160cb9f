import { apexCampaignRuns } from '#shared/apex/apex-campaign.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { repairRun } from '#shared/apex/campaign.ts';
import { runTimer } from '#shared/apex/run-timer.ts';
import { settleRun } from '#shared/apex/settle.ts';
import { repairStandalone } from '#shared/apex/standalone.ts';
import { isHeldForWindow, waitForNextWindow } from '#shared/apex/window.ts';
import type { Due } from './due.ts';

/**
 * Continues a run, or ends it at its deadline; the sweeper checks again later. The sweeper checks an ended run once
 * more, because its tasks must end too.
 */
export async function sweepRun({ table, timer, drop }: Due): Promise<void> {
  const run = await table.find(apexCampaignRuns, timer.id, true);
  if (run && (await repairRun(table, run))) {
    await table.write(runTimer(table, run));
  }
  await drop();
}

/** A task that waits goes on: a window of its engagement has opened, or a dependency may have ended. */
export async function sweepTask({ table, timer, drop }: Due): Promise<void> {
  const task = await table.find(apexTasks, timer.id, true);
  if (task?.status === 'pending') {
    if (await isHeldForWindow(table, [task])) await waitForNextWindow(table, task);
    else if (task.runId === null) await repairStandalone(table, task.id);
    else await settleRun(table, task.runId);
  }
  await drop();
}
