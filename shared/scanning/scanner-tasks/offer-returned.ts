import { nowMs } from '#shared/platform/runtime/clock.ts';
import { log } from '#shared/platform/runtime/log.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '../engagements/engagement.ts';
import { openUntil } from '../schedule/windows.ts';
import { offerWrites, TaskTaken } from './queue.ts';
import { isWindowed, type ScannerTask, type WindowedTask } from './scanner-task.ts';

/** Queues tasks that returned after their window, if the next window is already open. Otherwise they wait for it. */
export async function offerReturned(table: Table, tasks: readonly ScannerTask[]): Promise<void> {
  const missed = tasks
    .filter(isWindowed)
    .filter(({ status, windowEndsAt = '' }) => status === 'pending' && !(Date.parse(windowEndsAt) > nowMs()));
  for (const [engagementId, some] of Map.groupBy(missed, (task) => task.engagementId))
    await offer(table, engagementId, some).catch((error: unknown) => {
      // the return itself is done; the next window queues the task at the latest
      if (!(error instanceof TaskTaken)) log.warn('task not offered', { engagementId, reason: String(error) });
    });
}

async function offer(table: Table, engagementId: string, tasks: readonly WindowedTask[]): Promise<void> {
  const engagement = await table.find(engagements, engagementId, true);
  const until = engagement && openUntil(engagement.windows, nowMs());
  if (until === undefined) return;
  await table.write(...offerWrites(table.tenant, tasks, new Date(until).toISOString()));
}
