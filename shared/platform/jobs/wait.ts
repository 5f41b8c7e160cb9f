import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { elapsedMs } from '../runtime/clock.ts';
import { timeLeftMs } from '../runtime/deadline.ts';
import type { Table } from '../table/table.ts';
import {
  isFinished,
  isOfPart,
  publicTask,
  QueuedResponse,
  TASK_STATUSES,
  Task,
  type TaskRow,
  taskRows,
} from './task.ts';

/** The gateway ends a request after 30 seconds. */
export const MAX_WAIT_SECONDS = 20;

const FIRST_PAUSE_MS = 100;
/** A caller learns of the end at most so late. A look at the task costs one read unit. */
const LONGEST_PAUSE_MS = 250;

/** The query of an operation that can wait for the end of a task. */
export const WaitSeconds = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z.int().min(0).max(MAX_WAIT_SECONDS),
  )
  .default(0)
  .meta({ description: 'seconds to wait for the end of the task before the answer' });

/** A busy system begins to wait late in the time of a request: so much is left for the answer, which would be an error otherwise. */
const TO_ANSWER_MS = 5_000;

/** The task once it has finished, or its state after `seconds`, or before the request ends; undefined when there is no such task. */
export async function waitForTask(table: Table, id: string, seconds: number): Promise<TaskRow | undefined> {
  const rows = table.rows(taskRows);
  const ownLeft = (timeLeftMs() ?? Number.POSITIVE_INFINITY) - TO_ANSWER_MS;
  const until = elapsedMs() + Math.min(seconds * 1_000, ownLeft);
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    // Consistent: a client may read its task right after the answer that named it.
    const task = await rows.find({ id }, true);
    if (task && !isOfPart(table, task)) return undefined;
    const left = until - elapsedMs();
    if (!task || isFinished(task) || left <= 0) return task;
    await sleep(Math.min(pause, left));
  }
}

/** The answer of an operation that queues a task and may wait for its end. */
export const WaitedResponse = QueuedResponse.extend({
  status: z.enum(TASK_STATUSES),
  task: Task.optional().meta({ description: 'the finished task, if it ended within `waitSeconds`' }),
});

/** The answer of an operation on many records: either the task, or a preview of its effects. */
export const answerOrPreview = <P extends z.ZodType>(preview: P) =>
  WaitedResponse.partial().extend({
    preview: preview.optional().meta({
      description:
        'of a `dryRun`, whose task tries the change on each record and changes nothing; without the sample it is also the `result` ' +
        'of the task, for a preview that takes more than 20 seconds',
    }),
  });

/** The queued task, or its end if that comes within `seconds`. */
export async function answerWithin(
  table: Table,
  queued: QueuedResponse,
  seconds: number,
): Promise<z.infer<typeof WaitedResponse>> {
  if (seconds === 0) return queued;
  const task = await waitForTask(table, queued.taskId, seconds);
  return task && isFinished(task) ? { ...queued, status: task.status, task: publicTask(task) } : queued;
}
