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

/** The conditions of one task: each is narrowed by itself, and its row has a limit. */
const MAX_WAITING = 20;

/**
 * The last task of changed rules, where nobody has begun it: with several changes it reads the assets once for all. It is found by
 * the mark of the rules.
 */
export async function waitingTask(
  table: Table,
  { ruleIds, conditions }: Pick<z.input<typeof Concerned>, 'ruleIds' | 'conditions'>,
): Promise<WaitingTask | undefined> {
  const { taskId } = (await table.rows(rulesMarks).find({}, true)) ?? {};
  const task = taskId === undefined ? undefined : await table.rows(taskRows).find({ id: taskId }, true);
  const at = now();
  // its worker tells by the time of the change that it reads what was queued last
  if (task?.status !== 'queued' || task.updatedAt >= at) return undefined;
  const concerned = Concerned.parse(task.input);
  if (concerned.conditions.length + conditions.length > MAX_WAITING || concerned.ruleIds.length >= MAX_WAITING)
    return undefined;
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
