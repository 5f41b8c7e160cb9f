import { continueAt, keepStep } from '#shared/platform/jobs/continue.ts';
import { isFinished, sendTask, type TaskRow } from '#shared/platform/jobs/task.ts';
import { listTasks } from '#shared/platform/jobs/task-list.ts';
import { waitForTask } from '#shared/platform/jobs/wait.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { inSeconds, now, nowMs, secondsAfter } from '#shared/platform/runtime/clock.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Whether rules about assets decide which records fit: findings and vulnerabilities have the applications of their assets. */
export const followsRules = ({ where }: Selection, fields: readonly string[] = ['application']): boolean =>
  fields.some((field) => where?.[field] !== undefined);

/** No task of rules takes so long; an older one that has not ended was lost. */
const LOOK_BACK_SECONDS = 3_600;
const AT_ONCE = 100;

/**
 * A task that still brings assets to rules that were changed until this time, or findings to these assets. All tasks that count
 * exist when the rules have ended, so that waiting for them ends.
 */
async function rulesAhead(table: Table, at: string): Promise<TaskRow | undefined> {
  const since = secondsAfter(at, -LOOK_BACK_SECONDS);
  let ended = at;
  for await (const task of tasksOf(table, 'apply_asset_rules', { since, to: at })) {
    if (!isFinished(task)) return task;
    if (task.finishedAt && task.finishedAt > ended) ended = task.finishedAt;
  }
  for await (const task of tasksOf(table, 'apply_asset_change', { since, to: ended }))
    if (!isFinished(task)) return task;
  return undefined;
}

/** The task that makes the counts of a preview provisional. */
export async function provisional(table: Table, wanted: { selection: Selection } | object) {
  const ahead = 'selection' in wanted && followsRules(wanted.selection) ? await rulesAhead(table, now()) : undefined;
  return ahead && { waitsFor: named(ahead) };
}

const named = ({ operation, id: taskId }: TaskRow) => ({ operation, taskId });

type Ruling = 'apply_asset_rules' | 'apply_asset_change';

/** The newest first. */
async function* tasksOf(table: Table, operation: Ruling, { since, to }: { since: string; to: string }) {
  for (let before: string | null = `${to}~`; before !== null; ) {
    const page: Awaited<ReturnType<typeof listTasks>> = await listTasks(table, {
      operations: [operation],
      since,
      before,
      limit: AT_ONCE,
    });
    yield* page.data;
    before = page.next;
  }
}

/** Most evaluations end in seconds: a worker looks again after a pause, and after the first half minute leaves its place. */
const PAUSE_SECONDS = 1;
const SOON_SECONDS = 30;
const MAX_WAIT_SECONDS = 900;

/**
 * Lets a task that has not begun wait until rules about assets that were changed before its request are applied.
 * @param group the message group of the task
 * @returns the work that may begin; undefined: a later message begins it
 * @throws TaskFailure after a quarter of an hour
 */
export async function afterRules(work: Work, group: string): Promise<Work | undefined> {
  const { connections, table, task } = work;
  const ahead = await rulesAhead(table, task.createdAt);
  const { waitsFor, ...progress } = task.progress;
  if (!ahead) return waitsFor ? { ...work, task: await keepStep(table, task, { progress }) } : work;
  const waited = (nowMs() - Date.parse(task.startedAt ?? task.createdAt)) / 1000;
  if (waited > MAX_WAIT_SECONDS)
    throw new TaskFailure(
      'conflict',
      `Rules about assets have not been applied yet (task ${ahead.id}), so that it is not known which records belong to ` +
        'which application. Nothing was done: send the request again later.',
    );
  const kept = await keepStep(table, task, { progress: { ...progress, waitsFor: named(ahead) } });
  if (waited > SOON_SECONDS) return continueAt({ table, task: kept, group }, inSeconds(SOON_SECONDS));
  await waitForTask(table, ahead.id, PAUSE_SECONDS);
  await sendTask(connections, table, kept, { group, deduplicationId: `${kept.id}-${kept.updatedAt}` });
  return undefined;
}
