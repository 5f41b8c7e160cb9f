import { apexAppliances, PUBLIC_FIT } from '#shared/apex/apex-appliance.ts';
import type { ApexTask } from '#shared/apex/apex-task.ts';
import { usageOf } from '#shared/apex/budget.ts';
import { type ApexPresence, apexPresences } from '#shared/apex/presence.ts';
import { publicFit, publicRoom } from '#shared/apex/public.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { inOrganization } from '#shared/platform/table/table.ts';
import { isSilent } from '#shared/scanning/machines/presence.ts';

type PlacementFields = 'applianceId' | 'zone' | 'usePublicApex';
type StatusFields = 'id' | 'type' | 'status' | 'released' | 'waitingReason' | 'appliance' | 'providerId' | 'progress';
type Shown = Pick<ApexTask, PlacementFields | StatusFields> & { leaseExpiresAt: string | null; updatedAt: string };

/** An idle appliance polls at least every two minutes: before that a task waits for no special reason. */
const PATIENCE_MS = 150_000;

/** Adds to running tasks the progress from their appliances, and to waiting tasks their reason. */
export async function showTasks<T extends Shown>(table: Table, tasks: readonly T[]): Promise<T[]> {
  const presences = await readHolders(table, tasks);
  const fitOf = readFits(table);
  const isFull = readRoom(table);
  const isThere = async (id: string) => (await table.find(apexAppliances, id)) !== undefined;
  return Promise.all(
    tasks.map(async (task) => {
      if (task.status === 'running') return withProgress(task, presences.get(task.appliance?.id ?? ''));
      if (task.status !== 'pending' || !task.released) return task;
      const reason = await reasonOf(task, { presences, fitOf, isThere });
      const isHeldBack = task.usePublicApex && (!reason || reason === 'all_busy') && (await isFull());
      return { ...task, waitingReason: isHeldBack ? ('quota' as const) : reason };
    }),
  );
}

/**
 * The presences of appliances that hold tasks or that tasks name. The presence of a public appliance is in its
 * provider's organization.
 */
async function readHolders(table: Table, tasks: readonly Shown[]): Promise<Map<string, ApexPresence>> {
  const wanted = tasks.flatMap(({ status, appliance, providerId, applianceId }) => {
    if (status === 'running' && appliance) return [{ providerId: providerId ?? undefined, id: appliance.id }];
    return status === 'pending' && applianceId ? [{ providerId: undefined, id: applianceId }] : [];
  });
  const byHolder = [...Map.groupBy(wanted, ({ providerId }) => providerId)];
  const rows = await Promise.all(
    byHolder.map(([providerId, of]) => {
      const keys = [...new Set(of.map(({ id }) => id))].map((machineId) => ({ machineId }));
      return inOrganization(table, providerId).rows(apexPresences).findMany(keys);
    }),
  );
  return new Map(rows.flat().map((row) => [row.machineId, row]));
}

/** Shows a single task with its usage so far; a call may end after its task. */
export async function showTask(table: Table, task: ApexTask): Promise<ApexTask> {
  const [shown = task] = await showTasks(table, [task]);
  if (shown.attempt === 0) return shown;
  const usage = await usageOf(table, { taskId: task.id });
  return usage.calls > 0 ? { ...shown, usage } : shown;
}

function withProgress<T extends Shown>(task: T, presence: ApexPresence | undefined): T {
  const lease = presence?.leases[task.id];
  if (!lease) return task;
  const { progress: fraction, step, message, until } = lease;
  return { ...task, progress: { fraction, step, message }, leaseExpiresAt: new Date(until).toISOString() };
}

type Fits = (task: Pick<Shown, PlacementFields>) => Promise<Counts>;

/** Reads counters once per zone of the tasks, and once per provider of public appliances. */
function readFits(table: Table): Fits {
  const fits = new Map<string, Promise<Counts>>();
  return ({ zone, usePublicApex }) => {
    const own = zone === null ? '' : `=${zone}`;
    const name = usePublicApex ? PUBLIC_FIT : own;
    const fit = fits.get(name) ?? (usePublicApex ? publicFit(table) : table.tally(apexAppliances, 'fit', name));
    fits.set(name, fit);
    return fit;
  };
}

/** Whether the organization's tasks on public appliances are at their limit. Reads the counter once. */
function readRoom(table: Table): () => Promise<boolean> {
  let room: Promise<number> | undefined;
  return async () => {
    room ??= publicRoom(table, table.organizationId);
    return (await room) === 0;
  };
}

type Appliances = {
  presences: Map<string, ApexPresence>;
  fitOf: Fits;
  /** For an appliance without a presence: it has never called, or was removed. */
  isThere: (id: string) => Promise<boolean>;
};

async function reasonOf(task: Shown, { presences, fitOf, isThere }: Appliances): Promise<ApexTask['waitingReason']> {
  const isLate = nowMs() - Date.parse(task.updatedAt) > PATIENCE_MS;
  if (task.applianceId !== null) {
    const presence = presences.get(task.applianceId);
    const isOurs = presence ? presence.enabled && !presence.public : await isThere(task.applianceId);
    if (!isOurs) return 'no_appliance';
    if (presence && !presence.taskTypes.includes(task.type)) return 'no_appliance_for_type';
    if (!presence || isSilent(presence)) return 'all_offline';
    return isLate ? 'all_busy' : null;
  }
  const fit = await fitOf(task);
  if (!fit.any) return 'no_appliance';
  if (!fit[task.type]) return 'no_appliance_for_type';
  if (!fit[`on:${task.type}`]) return 'all_offline';
  return isLate ? 'all_busy' : null;
}
