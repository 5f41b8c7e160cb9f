import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { elapsedMs } from '../runtime/clock.ts';
import type { Table } from '../table/table.ts';
import { isFinished, type TaskRow, taskRows } from './task.ts';

/** Longer would near the gateway's limit of 30 s for a request. */
export const MAX_WAIT_SECONDS = 20;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** Query of an operation that may wait for a task's end. */
export const WaitSeconds = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z.int().min(0).max(MAX_WAIT_SECONDS),
  )
  .default(0)
  .meta({ description: 'answer when the task is finished, after this many seconds at the latest' });

/** The task when it is finished, or as it stands after `seconds`; undefined when there is none. */
export async function waitForTask(table: Table, id: string, seconds: number): Promise<TaskRow | undefined> {
  const rows = table.rows(taskRows);
  const until = elapsedMs() + seconds * 1_000;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    // Consistent: a client asks for its task the moment it was accepted.
    const task = await rows.find({ id }, true);
    const left = until - elapsedMs();
    if (!task || isFinished(task) || left <= 0) return task;
    await sleep(Math.min(pause, left));
  }
}
