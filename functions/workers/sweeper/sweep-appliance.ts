import { giveBackLeases } from '#shared/apex/give-back.ts';
import { type ApexPresence, apexMachines, apexPresences, saveApexPresence } from '#shared/apex/presence.ts';
import { runAlarm } from '#shared/apex/run-alarm.ts';
import { settleRun, settleTasks } from '#shared/apex/settle.ts';
import { settleStandalone } from '#shared/apex/standalone.ts';
import { nowMs } from '#shared/clock.ts';
import { apexCampaignRuns, runStates } from '#shared/entities/apex-campaign.ts';
import { type ApexTask, apexTasks } from '#shared/entities/apex-task.ts';
import type { Alarm } from '#shared/machines/alarms.ts';
import { whileMoving } from '#shared/machines/session.ts';
import type { Ports } from '#shared/ports.ts';
import { isFinal } from '#shared/state-machine.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { dropAlarm } from './drop-alarm.ts';
import { sweepMachine } from './sweep-machine.ts';

const LEASE_ENDED = { code: 'lease_expired', message: 'Its appliance did not renew the lease in time.' };

/** Leases that ended return to their queues; an appliance that is silent is noted as offline. @returns whether it is */
export async function sweepAppliance(ports: Ports, alarm: Alarm): Promise<boolean> {
  const table = openTable(ports.dynamo, alarm.organizationId);
  const ended = await whileMoving(async () => {
    const presence = await table.rows(apexPresences).find({ machineId: alarm.id }, true);
    return presence?.alarmAt === alarm.at ? endLeases(table, presence) : undefined;
  });
  if (!ended) return sweepMachine(ports, alarm, { machines: apexMachines });
  await settleTasks(table, ended);
  return false;
}

/** undefined: none has ended. The presence is written with its next alarm. */
async function endLeases(table: Table, before: ApexPresence): Promise<ApexTask[] | undefined> {
  const isEnding = ({ until }: { until: number }) => until <= nowMs();
  if (!Object.values(before.leases).some(isEnding)) return undefined;
  const batch = table.batch();
  const { tasks, leases } = await giveBackLeases({ table, batch }, before, { isEnding, error: LEASE_ENDED });
  await saveApexPresence(table, { before, after: { ...before, leases }, batch });
  return tasks;
}

/** A run that has not ended goes on, or ends at its deadline; the sweeper looks again later. */
export async function sweepRun({ dynamo }: Ports, alarm: Alarm): Promise<void> {
  const table = openTable(dynamo, alarm.organizationId);
  await settleRun(table, alarm.id);
  const run = await table.find(apexCampaignRuns, alarm.id, true);
  if (run && !isFinal(runStates, run.status)) {
    const batch = table.batch();
    batch.write(runAlarm(table, run));
    await batch.commit();
  }
  await dropAlarm(dynamo, alarm);
}

/** A window of its engagement has opened: a task that waited for it goes on. */
export async function sweepTask({ dynamo }: Ports, alarm: Alarm): Promise<void> {
  const table = openTable(dynamo, alarm.organizationId);
  const task = await table.find(apexTasks, alarm.id, true);
  if (task?.status === 'pending') {
    if (task.runId === null) await settleStandalone(table, task.id);
    else await settleRun(table, task.runId);
  }
  await dropAlarm(dynamo, alarm);
}
