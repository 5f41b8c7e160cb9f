import { offerWrites, TaskTaken } from '../dispatch/queue.ts';
import { engagements } from '../entities/engagement.ts';
import type { ScannerTask } from '../entities/scanner-task.ts';
import { nowMs } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { openUntil } from '../schedule/windows.ts';
import type { Table } from '../table/table.ts';

/**
 * A task that comes back after the window in which it was handed out has closed waits for the next one to open; if that
 * is open already, it goes out again now.
 */
export async function offerReturned(table: Table, tasks: readonly ScannerTask[]): Promise<void> {
  const missed = tasks.filter(
    ({ status, windowed, windowEndsAt = '' }) =>
      windowed && status === 'pending' && !(Date.parse(windowEndsAt) > nowMs()),
  );
  for (const [engagementId, some] of Map.groupBy(missed, (task) => task.engagementId))
    await offer(table, engagementId, some).catch((error: unknown) => {
      // what gave it back is done; at the latest the next window takes it
      if (!(error instanceof TaskTaken)) log.warn('task not offered', { engagementId, reason: String(error) });
    });
}

async function offer(table: Table, engagementId: string, tasks: readonly ScannerTask[]): Promise<void> {
  const engagement = await table.find(engagements, engagementId, true);
  const until = engagement && openUntil(engagement.windows, nowMs());
  if (until === undefined) return;
  const batch = table.batch();
  batch.write(...offerWrites(table.scope, tasks, new Date(until).toISOString()));
  await batch.commit();
}
