import { createHash } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type ScannerTask, scannerQueueOf } from '../entities/scanner-task.ts';
import { nowMs } from '../runtime/clock.ts';
import { Overtaken } from '../runtime/errors.ts';
import { newId, ordinalOf, shortId } from '../runtime/ids.ts';
import type { Write } from '../table/io/commit.ts';
import { queryRows } from '../table/io/read.ts';
import { defineRow, putWrite, rowKey } from '../table/io/row.ts';
import { GLOBAL_SCOPE, ordinalText } from '../table/layout/keys.ts';
import type { Table } from '../table/table.ts';
import { isPoolTask, laneOfTask, type PoolTask, poolQueue, turnWrites, windowedClientWrites } from './pools.ts';

/**
 * A task that waits: one row per task, in the partition of its queue, oldest first; `order` comes before the age. From
 * `until` on (milliseconds) it must not be taken any more: the window in which it was offered has closed.
 */
export type PendingRow = { queue: string; taskId: string; order?: string; until?: number };

export const pendingRows = defineRow<PendingRow>({
  name: 'pending',
  about: "a task that waits in a queue; a shared machine's queues lie in the global scope",
  key: ({ queue, taskId, order = '' }) => [queue, `${order}${ordinalText(ordinalOf(taskId))}`],
});

/**
 * Where work may wait: one row per organization, an attribute per queue. Whoever makes a task pending sets a fresh
 * stamp in the same transaction; a poller that finds a queue empty takes the stamp away if it is still the one that it
 * read before it looked. So an idle poll reads this row instead of every queue, and no task is overlooked.
 */
export type WorkHint = Record<string, unknown>;
type HintKey = { row: 'all' };

export const workHints = defineRow<WorkHint, HintKey>({
  name: 'work',
  about: 'the work hint of an organization: one stamp for each queue in which something may wait',
  key: ({ row }) => [row],
});
export const hintKey: HintKey = { row: 'all' };

/** Short, for the row is read by every poll: 300 queues fit into one read unit. */
const hintName = (queue: string): string => `q${createHash('sha1').update(queue).digest('base64url').slice(0, 7)}`;

/** The stamp of a queue, undefined when nothing waits there. */
export const hintOf = (hint: WorkHint | undefined, queue: string): unknown => hint?.[hintName(queue)];

const stamp = (): string => newId().slice(-8);

/** A waiting task of an engagement with windows, in its queue or not: where the scheduler finds it when one opens. */
export type WindowedRow = { engagementId: string; taskId: string };

export const windowedRows = defineRow<WindowedRow>({
  name: 'windowed',
  about: 'a waiting task of an engagement with windows',
  key: ({ engagementId, taskId }) => [engagementId, ordinalText(ordinalOf(taskId))],
});

/** The writes that put tasks into their queues, for the transaction that makes them pending. */
export function enqueueWrites(scope: string, tasks: readonly ScannerTask[]): Write[] {
  const windowed = tasks.filter((task) => task.windowed);
  const offered = tasks.filter(({ windowed, windowEndsAt }) => !windowed || Date.parse(windowEndsAt ?? '') > nowMs());
  return [
    ...windowed.map(({ engagementId, id }) => putWrite(scope, windowedRows, { row: { engagementId, taskId: id } })),
    ...windowedClientWrites(scope, windowed.filter(isPoolTask)),
    ...enqueueTasks(scope, offered),
  ];
}

function enqueueTasks(scope: string, tasks: readonly ScannerTask[]): Write[] {
  const own = tasks.filter((task) => !isPoolTask(task)).map((task) => pendingRow(scope, task));
  return [...enqueueRows(scope, own), ...enqueueShared(scope, tasks.filter(isPoolTask))];
}

/** Into the queues of a pool: its scanners learn of it from the work hint of their own organization. */
function enqueueShared(scope: string, tasks: readonly PoolTask[]): Write[] {
  const rows = tasks.map((task) => putWrite(GLOBAL_SCOPE, pendingRows, { row: pendingRow(scope, task) }));
  const hints = [...Map.groupBy(tasks, ({ providerId }) => providerId)].map(([providerId, some]) =>
    raiseHint(shortId(providerId), some.map(laneOfTask)),
  );
  return [...rows, ...turnWrites(scope, tasks.map(laneOfTask)), ...hints];
}

export function enqueueRows(scope: string, rows: readonly PendingRow[]): Write[] {
  if (rows.length === 0) return [];
  const queues = rows.map(({ queue }) => queue);
  return [...rows.map((row) => putWrite(scope, pendingRows, { row })), raiseHint(scope, queues)];
}

/** Says where machines of an organization look that something may wait in these queues. */
export function raiseHint(scope: string, queues: readonly string[]): Write {
  const names = [...new Set(queues.map(hintName))];
  return {
    change: rowKey(scope, workHints, hintKey),
    set: {
      UpdateExpression: `SET ${names.map((_, n) => `#q${n} = :s`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name, n) => [`#q${n}`, name])),
      ExpressionAttributeValues: { ':s': stamp() },
    },
  };
}

const pendingRow = (scope: string, task: ScannerTask): PendingRow => ({
  queue: isPoolTask(task) ? poolQueue(laneOfTask(task), scope) : scannerQueueOf(task),
  taskId: task.id,
  ...(task.windowEndsAt && { until: Date.parse(task.windowEndsAt) }),
});

/** Where the row of a waiting task lies: with its organization, or with all that share its pool. */
const scopeOfQueue = (scope: string, task: ScannerTask): string => (isPoolTask(task) ? GLOBAL_SCOPE : scope);

/** Takes a task out of its queue to work on it; fails when another has taken it. */
export const takeWrites = (scope: string, task: ScannerTask): Write[] => [
  dequeueRow(scopeOfQueue(scope, task), pendingRow(scope, task)),
  ...windowedRemovals(scope, task),
];

/** Takes a waiting task away. One of an engagement with windows may be in no queue now. */
export const dequeueWrites = (scope: string, task: ScannerTask): Write[] =>
  task.windowed
    ? [removeRow(scopeOfQueue(scope, task), pendingRow(scope, task)), ...windowedRemovals(scope, task)]
    : takeWrites(scope, task);

const windowedRemovals = (scope: string, { windowed, engagementId, id }: ScannerTask): Write[] =>
  windowed ? [{ remove: rowKey(scope, windowedRows, { engagementId, taskId: id }) }] : [];

const removeRow = (scope: string, row: PendingRow): Write => ({ remove: rowKey(scope, pendingRows, row) });

export const dequeueRow = (scope: string, row: PendingRow): Write => ({
  remove: rowKey(scope, pendingRows, row),
  condition: { ConditionExpression: 'attribute_exists(pk)' },
  fail: () => new TaskTaken(),
});

/** Puts tasks that wait for a window into their queues until it ends; fails when a scanner has one of them. */
export const offerWrites = (scope: string, tasks: readonly ScannerTask[], windowEndsAt: string): Write[] => [
  ...tasks.map(({ engagementId, id }) => ({
    check: rowKey(scope, windowedRows, { engagementId, taskId: id }),
    condition: { ConditionExpression: 'attribute_exists(pk)' },
    fail: () => new TaskTaken(),
  })),
  ...enqueueTasks(
    scope,
    tasks.map((task) => ({ ...task, windowEndsAt })),
  ),
];

/** Takes a task out of its queue if its window has closed; fails when the next has opened. */
export const closeWrite = (scope: string, task: ScannerTask): Write => ({
  remove: rowKey(scopeOfQueue(scope, task), pendingRows, pendingRow(scope, task)),
  condition: {
    ConditionExpression: 'attribute_not_exists(pk) OR #until <= :now',
    ExpressionAttributeNames: { '#until': 'until' },
    ExpressionAttributeValues: { ':now': nowMs() },
  },
  fail: () => new TaskTaken(),
});

/** A task in its queue: in the order of `sk` they are handed out. */
export type QueuedTask = { sk: string; taskId: string; until?: number };

/** The first rows of a queue; consistent, for an empty answer takes its hint away. */
export async function readQueue(table: Table, queue: string, width: number): Promise<QueuedTask[]> {
  const anyRow: PendingRow = { queue, taskId: '00000000-0000-7000-8000-000000000000' };
  const { pk } = rowKey(table.scope, pendingRows, anyRow);
  const rows = await queryRows(table.dynamo, { pk, all: true, limit: width, consistent: true });
  return rows.map(({ sk, taskId, until }) => ({
    sk,
    taskId: String(taskId),
    ...(until !== undefined && { until: Number(until) }),
  }));
}

/** Another scanner was faster. */
export class TaskTaken extends Overtaken {}

/** Nothing waits in this queue any more, unless something was added since `seen` was read. */
export async function clearHint(table: Table, queue: string, seen: unknown): Promise<void> {
  const { client, tableName } = table.dynamo;
  const clear = new UpdateCommand({
    TableName: tableName,
    Key: rowKey(table.scope, workHints, hintKey),
    UpdateExpression: 'REMOVE #q',
    ConditionExpression: '#q = :seen',
    ExpressionAttributeNames: { '#q': hintName(queue) },
    ExpressionAttributeValues: { ':seen': seen },
  });
  await client.send(clear).catch((error: Error) => {
    if (error.name !== 'ConditionalCheckFailedException') throw error;
  });
}
