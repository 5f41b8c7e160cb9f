import { followRun } from '#shared/apex/campaign.ts';
import { giveBackLeases } from '#shared/apex/give-back.ts';
import { apexMachines, apexPresences } from '#shared/apex/presence.ts';
import { runTimer } from '#shared/apex/run-timer.ts';
import { settleRun } from '#shared/apex/settle.ts';
import { followStandalone } from '#shared/apex/standalone.ts';
import { isHeldForWindow, waitForNextWindow } from '#shared/apex/window.ts';
import { apexCampaignRuns } from '#shared/entities/apex-campaign.ts';
import { apexTasks } from '#shared/entities/apex-task.ts';
import { nowMs } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { retry } from '#shared/runtime/retry.ts';
import { openTable } from '#shared/table/table.ts';
import type { Timer } from '#shared/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { sweepMachine } from './sweep-machine.ts';

const LEASE_ENDED = { code: 'lease_expired', message: 'Its appliance did not renew the lease in time.' };

/** Leases that ended return to their queues; an appliance that is silent is noted as offline. @returns whether it is */
export async function sweepAppliance(connections: Connections, timer: Timer): Promise<boolean> {
  const table = openTable(connections.dynamo, timer.organizationId);
  const isEnding = ({ until }: { until: number }) => until <= nowMs();
  const hasEnded = await retry(async () => {
    const presence = await table.rows(apexPresences).find({ machineId: timer.id }, true);
    if (presence?.timerAt !== timer.at) return false;
    // the presence is written with its next timer
    return (await giveBackLeases(table, presence, { isEnding, error: LEASE_ENDED })) !== presence;
  });
  return hasEnded ? false : sweepMachine(connections, timer, { machines: apexMachines });
}

/**
 * A run that has not ended goes on, or ends at its deadline; the sweeper looks again later. One that has ended is looked
 * at once more, for its tasks must end too.
 */
export async function sweepRun({ dynamo }: Connections, timer: Timer): Promise<void> {
  const table = openTable(dynamo, timer.organizationId);
  const run = await table.find(apexCampaignRuns, timer.id, true);
  if (run && (await followRun(table, run))) {
    const batch = table.batch();
    batch.write(runTimer(table, run));
    await batch.commit();
  }
  await dropTimer(dynamo, timer);
}

/** A window of its engagement has opened, or what it waits for may have ended: a task that waited goes on. */
export async function sweepTask({ dynamo }: Connections, timer: Timer): Promise<void> {
  const table = openTable(dynamo, timer.organizationId);
  const task = await table.find(apexTasks, timer.id, true);
  if (task?.status === 'pending') {
    if (await isHeldForWindow(table, [task])) await waitForNextWindow(table, task);
    else if (task.runId === null) await followStandalone(table, task.id);
    else await settleRun(table, task.runId);
  }
  await dropTimer(dynamo, timer);
}
