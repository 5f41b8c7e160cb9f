import type * as z from 'zod';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Concerned } from './apply.ts';
import { rulesMarks } from './mark.ts';

/** The task was begun, so that it takes nothing more along. */
export class TaskBegan extends Error {}

/** A task that waits, and the write by which it takes a further change of rules along. */
export type WaitingTask = { id: string; write: Write };

/** The most conditions of one task: the index narrows each condition separately, and the task's row has a limit. */
const MOST = 20;

/**
 * The last task of changed rules, if it has not begun: it reads the assets once for several changes. The mark of the
 * rules names it.
 */
export async function waitingTask(
  table: Table,
  { ruleIds, conditions }: Pick<z.input<typeof Concerned>, 'ruleIds' | 'conditions'>,
): Promise<WaitingTask | undefined> {
  const { taskId } = (await table.rows(rulesMarks).find({}, true)) ?? {};
  const task = taskId === undefined ? undefined : await table.rows(taskRows).find({ id: taskId }, true);
  const at = now();
  // the time of the change shows the task's worker that it reads the last queued state
  if (task?.status !== 'queued' || task.updatedAt >= at) return undefined;
  const concerned = Concerned.parse(task.input);
  if (concerned.conditions.length + conditions.length > MOST || concerned.ruleIds.length >= MOST) return undefined;
  const input = {
    ...concerned,
    ruleIds: [...new Set([...concerned.ruleIds, ...ruleIds])],
    conditions: [...concerned.conditions, ...conditions],
  };
  const expect = { status: 'queued', updatedAt: task.updatedAt };
  const write = putWrite(table.scope, taskRows, {
    row: { ...task, input, updatedAt: at },
    expect,
    fail: () => new TaskBegan(),
  });
  return { id: task.id, write };
}
