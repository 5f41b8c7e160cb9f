import { nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError, Overtaken } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { askHolder, cancelLeasable } from '#shared/scanning/leases/cancel.ts';
import { withLease } from '#shared/scanning/leases/lease.ts';
import { holderOf } from '#shared/scanning/scanner-tasks/shared-lease.ts';
import { type ApexTask, apexTasks } from './apex-task.ts';
import { apexHolders } from './holders.ts';
import {
  type ApexLease,
  type ApexPresence,
  apexPresences,
  COMMAND_SECONDS,
  readApexPresence,
  saveApexPresence,
} from './presence.ts';

type Cancellation = {
  error?: { code: string; message: string } | null;
  /** @throws when the task, as it stands then, must not be cancelled */
  allow?: (task: ApexTask) => void;
};

/**
 * Cancels a task: at once while it waits; a running one goes on, and its appliance hears of it with its next call.
 * `settleTasks` must follow.
 * @throws not_found, conflict when the task has ended
 */
export const cancelTask = (table: Table, id: string, cancellation: Cancellation = {}): Promise<ApexTask> =>
  cancelLeasable(apexHolders, table, { id, ...cancellation });

/** For what may have ended, or been removed, meanwhile: undefined then. */
export async function unlessEnded<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const isEnded = error instanceof ApiError && (error.code === 'conflict' || error.code === 'not_found');
    if (isEnded && !(error instanceof Overtaken)) return undefined;
    throw error;
  }
}

/** Asks the appliance of a task to stop it; a task that is not running stays as it is. */
export const askToStop = (table: Table, id: string, reason: string): Promise<void> =>
  retry(async () => {
    const task = await table.find(apexTasks, id, true);
    if (task?.status === 'running') await askHolder(apexHolders, table, { task, reason });
  });

type CommandRequest = { type: ApexPresence['commands'][number]['type']; taskId?: string; reason: string };

/**
 * Leaves a command for an appliance, which gets it with its next session update. @returns false for an unknown
 * appliance
 */
export const tellAppliance = (table: Table, applianceId: string, command: CommandRequest): Promise<boolean> =>
  retry(async () => {
    const before = await readApexPresence(table, applianceId);
    if (!before) return false;
    await saveApexPresence(table, { before, after: withCommand(before, command) });
    return true;
  });

/** The last decision about a task applies. */
const DECISIONS: readonly string[] = ['approve', 'deny'];
const isSame = (a: string, b: string): boolean => a === b || (DECISIONS.includes(a) && DECISIONS.includes(b));

function withCommand(presence: ApexPresence, command: CommandRequest): ApexPresence {
  const isAnother = ({ type, taskId, until }: ApexPresence['commands'][number]) =>
    until > nowMs() && !(isSame(type, command.type) && taskId === command.taskId);
  const until = nowMs() + COMMAND_SECONDS * 1000;
  return { ...presence, commands: [...presence.commands.filter(isAnother), { ...command, until }].slice(-20) };
}

/** The appliances that hold tasks of a run hold still, or go on. */
export async function pauseLeases(table: Table, tasks: readonly TaskOf[], isPaused: boolean): Promise<void> {
  const holders = new Map(
    tasks.flatMap((task) =>
      task.status === 'running' && task.appliance ? [[task.appliance.id, holderOf(table, task)] as const] : [],
    ),
  );
  for (const [applianceId, holder] of holders)
    await retry(() => pauseAppliance(holder, { applianceId, tasks, isPaused }));
}

type TaskOf = Pick<ApexTask, 'id' | 'status' | 'appliance' | 'providerId'>;
type Pause = { applianceId: string; tasks: readonly TaskOf[]; isPaused: boolean };

async function pauseAppliance(table: Table, { applianceId, tasks, isPaused }: Pause): Promise<void> {
  const before = await table.rows(apexPresences).find({ machineId: applianceId }, true);
  if (!before) return;
  let after = before;
  for (const { id } of tasks) {
    const lease = after.leases[id];
    if (!lease || (lease.isPaused ?? false) === isPaused) continue;
    after = withLease<ApexPresence, ApexLease>(after, id, { isPaused });
    if (!isPaused) after = withCommand(after, { type: 'resume', taskId: id, reason: 'campaign_resumed' });
  }
  if (after !== before) await saveApexPresence(table, { before, after });
}
