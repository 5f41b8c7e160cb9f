import { setTimeout as sleep } from 'node:timers/promises';
import { continueAt, keepStep } from '#shared/platform/jobs/continue.ts';
import { isFinished, sendTask, type TaskRow, taskPlaces, taskRows } from '#shared/platform/jobs/task.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { inSeconds, nowMs, secondsAfter } from '#shared/platform/runtime/clock.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { asksFor } from '#shared/platform/table/match.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Whether rules about assets decide which records fit: findings and vulnerabilities have the applications of their assets. */
export const followsRules = ({ where, matching }: Selection, fields: readonly string[] = ['application']): boolean =>
  fields.some((field) => where?.[field] !== undefined || (matching && asksFor(matching, field)));

/** No task of rules takes so long; an older one that has not ended was lost. */
const LOOK_BACK_SECONDS = 3_600;
const AT_ONCE = 100;

/** Whether the records lack changes that were made until this time: `viewsLack` of records that are a view. */
export type Lacking = (table: Table, until: string) => Promise<boolean>;

/**
 * A task whose effect is not complete yet: it brings assets to rules that were changed until this time, or findings to these
 * assets. All tasks that count exist when the rules have ended, so that waiting for them ends.
 */
async function rulesAhead(table: Table, at: string, lacking?: Lacking): Promise<TaskRow | undefined> {
  const since = secondsAfter(at, -LOOK_BACK_SECONDS);
  let last: TaskRow | undefined;
  const isOpen = (task: TaskRow): boolean => {
    if ((task.finishedAt ?? '') > (last?.finishedAt ?? '')) last = task;
    return !isFinished(task);
  };
  for await (const task of tasksOf(table, 'apply_asset_rules', { since, to: at })) if (isOpen(task)) return task;
  const to = [at, last?.finishedAt ?? ''].toSorted().at(-1) ?? at;
  for await (const task of tasksOf(table, 'apply_asset_change', { since, to })) if (isOpen(task)) return task;
  return last?.finishedAt && (await lacking?.(table, last.finishedAt)) ? last : undefined;
}

const named = ({ operation, id: taskId }: TaskRow) => ({ operation, taskId });

type Ruling = 'apply_asset_rules' | 'apply_asset_change';

/** The newest first, where a task that has not ended is found soonest. */
async function* tasksOf(table: Table, operation: Ruling, { since, to }: { since: string; to: string }) {
  const range = { between: { from: since, to: `${to}~` }, backward: true, consistent: true };
  const places = await table.rows(taskPlaces).query(operation, range);
  for (const some of chunksOf(places, AT_ONCE))
    yield* await table.rows(taskRows).findMany(
      some.map(({ id }) => ({ id })),
      true,
    );
}

/** Most evaluations end in seconds: a worker looks again after a pause, and after the first half minute leaves its place. */
const PAUSE_MS = 1_000;
const SOON_SECONDS = 30;
const MAX_WAIT_SECONDS = 900;

/**
 * Lets a task that has not begun wait until rules about assets that were changed before its request are applied.
 * @param group the message group of the task
 * @returns the work that may begin; undefined: a later message begins it
 * @throws TaskFailure after a quarter of an hour
 */
export async function afterRules(
  work: Work,
  { group, lacking }: { group: string; lacking?: Lacking | undefined },
): Promise<Work | undefined> {
  const { connections, table, task } = work;
  const ahead = await rulesAhead(table, task.createdAt, lacking);
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
  await sleep(PAUSE_MS);
  await sendTask(connections, table, kept, { group, deduplicationId: `${kept.id}-${kept.updatedAt}` });
  return undefined;
}
