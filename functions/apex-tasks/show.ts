import { type ApexPresence, apexPresences } from '#shared/apex/presence.ts';
import { nowMs } from '#shared/clock.ts';
import { apexAppliances } from '#shared/entities/apex-appliance.ts';
import type { ApexTask } from '#shared/entities/apex-task.ts';
import { isSilent } from '#shared/machines/presence.ts';
import type { Counts } from '#shared/table/counters.ts';
import type { Table } from '#shared/table/table.ts';

type Shown = Pick<
  ApexTask,
  'id' | 'type' | 'status' | 'released' | 'waitingReason' | 'applianceId' | 'appliance' | 'zone' | 'progress'
> & { leaseExpiresAt: string | null; updatedAt: string };

/** An idle appliance polls after two minutes at the latest: until then a task is not waiting for anything. */
const PATIENCE_MS = 150_000;

/** Tasks with the progress that their appliances told, and with the reason for which they wait. */
export async function showTasks<T extends Shown>(table: Table, tasks: readonly T[]): Promise<T[]> {
  const holders = tasks.flatMap(({ status, appliance, applianceId }) => {
    if (status === 'running' && appliance) return [appliance.id];
    return status === 'pending' && applianceId ? [applianceId] : [];
  });
  const ids = [...new Set(holders)];
  const rows = await table.rows(apexPresences).findMany(ids.map((machineId) => ({ machineId })));
  const presences = new Map(rows.map((row) => [row.machineId, row]));
  const fitOf = readFits(table);
  return Promise.all(
    tasks.map(async (task) => {
      if (task.status === 'running') return withProgress(task, presences.get(task.appliance?.id ?? ''));
      if (task.status !== 'pending' || !task.released) return task;
      return { ...task, waitingReason: await reasonOf(task, presences, fitOf) };
    }),
  );
}

export async function showTask(table: Table, task: ApexTask): Promise<ApexTask> {
  const [shown = task] = await showTasks(table, [task]);
  return shown;
}

function withProgress<T extends Shown>(task: T, presence: ApexPresence | undefined): T {
  const lease = presence?.leases[task.id];
  if (!lease) return task;
  const { progress: fraction, step, message, until } = lease;
  return { ...task, progress: { fraction, step, message }, leaseExpiresAt: new Date(until).toISOString() };
}

type Fits = (zone: string | null) => Promise<Counts>;

/** One counter read per zone among the tasks. */
function readFits(table: Table): Fits {
  const fits = new Map<string, Promise<Counts>>();
  return (zone) => {
    const name = zone === null ? '' : `=${zone}`;
    const fit = fits.get(name) ?? table.tally(apexAppliances, 'fit', name);
    fits.set(name, fit);
    return fit;
  };
}

async function reasonOf(
  task: Shown,
  presences: Map<string, ApexPresence>,
  fitOf: Fits,
): Promise<ApexTask['waitingReason']> {
  const isLate = nowMs() - Date.parse(task.updatedAt) > PATIENCE_MS;
  if (task.applianceId !== null) {
    const presence = presences.get(task.applianceId);
    if (presence && !presence.taskTypes.includes(task.type)) return 'no_appliance_for_type';
    if (!presence || isSilent(presence)) return 'all_offline';
    return isLate ? 'all_busy' : null;
  }
  const fit = await fitOf(task.zone);
  if (!fit.any) return 'no_appliance';
  if (!fit[task.type]) return 'no_appliance_for_type';
  if (!fit[`on:${task.type}`]) return 'all_offline';
  return isLate ? 'all_busy' : null;
}
