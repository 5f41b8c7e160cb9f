import * as z from 'zod';
import { nowMs } from '#shared/clock.ts';
import { engagements } from '#shared/entities/engagement.ts';
import { type ScannerTask, scannerTasks } from '#shared/entities/scanner-task.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { closeWrite, offerWrites, Taken, type WindowedRow, windowedRows } from '#shared/scanning/queue.ts';
import { openUntil } from '#shared/schedule/windows.ts';
import type { Table } from '#shared/table/table.ts';

/** Tasks that are moved in one transaction: a row that says that it waits, one in its queue, one or two hints. */
const AT_ONCE = 30;

const Input = z.object({ engagementId: z.uuid() });

/** A window of the engagement has opened or closed. */
export async function openWindows({ table, task }: Work): Promise<Record<string, unknown>> {
  const { engagementId } = Input.parse(task.input);
  return { engagementId, scannerTasks: await followWindows(table, engagementId) };
}

/**
 * Puts what waits into the queues while a window is open, and takes it out when none is. Harmless to repeat and to
 * overtake: only rows whose window has closed are taken out. That nothing starts outside a window does not depend on
 * this: each row in a queue says until when it may be taken.
 */
export async function followWindows(table: Table, engagementId: string): Promise<number> {
  const engagement = await table.find(engagements, engagementId, true);
  if (!engagement) return 0;
  const until = openUntil(engagement.windows, nowMs());
  const waiting = await table.rows(windowedRows).query(engagementId, { consistent: true });
  for (let n = 0; n < waiting.length; n += AT_ONCE) await moveAll(table, waiting.slice(n, n + AT_ONCE), until);
  return waiting.length;
}

async function moveAll(table: Table, rows: readonly WindowedRow[], until: number | undefined): Promise<void> {
  const tasks: ScannerTask[] = await table.findMany(
    scannerTasks,
    rows.map(({ taskId }) => taskId),
  );
  const waiting = tasks.filter(({ status }) => status === 'pending');
  const done = await move(table, waiting, until);
  // a scanner took one of them: the others go by themselves
  if (!done) for (const task of waiting) await move(table, [task], until);
}

async function move(table: Table, tasks: readonly ScannerTask[], until: number | undefined): Promise<boolean> {
  const batch = table.batch();
  if (until === undefined) batch.write(...tasks.map((task) => closeWrite(table.scope, task)));
  else batch.write(...offerWrites(table.scope, tasks, new Date(until).toISOString()));
  try {
    await batch.commit();
    return true;
  } catch (error) {
    if (!(error instanceof Taken)) throw error;
    return false;
  }
}
