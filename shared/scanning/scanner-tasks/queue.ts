import { createHash } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { newId, ordinalOf, shortId } from '#shared/platform/runtime/ids.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { queryRows } from '#shared/platform/table/io/read.ts';
import { retried } from '#shared/platform/table/io/retried.ts';
import { defineRow, putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import { typed } from '#shared/platform/table/io/typed.ts';
import { GLOBAL_SCOPE, ordinalText } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { isPoolTask, laneOfTask, type PoolTask, poolQueue, turnWrites, windowedClientWrites } from './pools.ts';
import { isWindowed, type ScannerTask, scannerQueueOf, type WindowedTask } from './scanner-task.ts';

/**
 * A waiting task: one row in the partition of its queue, sorted by `order`, then oldest first. From `until` on
 * (milliseconds) nobody may take the task: its window has closed.
 */
export type PendingRow = { queue: string; taskId: string; order?: string; until?: number };

export const pendingRows = defineRow<PendingRow>({
  name: 'pending',
  about: "a task that waits in a queue; a shared machine's queues have the global key scope",
  key: ({ queue, taskId, order = '' }) => [queue, `${order}${ordinalText(ordinalOf(taskId))}`],
});

/**
 * The queues of an organization in which a task may wait: one row, an attribute per queue. The transaction that makes a
 * task pending sets a new stamp. A poller that finds the queue empty removes the stamp, unless it changed since the
 * poller read it. An idle poll reads this one row instead of every queue, and overlooks no task.
 */
export type WorkHint = Record<string, unknown>;
type HintKey = { row: 'all' };

export const workHints = defineRow<WorkHint, HintKey>({
  name: 'work',
  about: 'the work hint of an organization: one stamp for each queue in which something may wait',
  key: ({ row }) => [row],
});
export const hintKey: HintKey = { row: 'all' };

/** Short, because every poll reads the row: 300 queues fit into one read unit. */
const hintName = (queue: string): string => `q${createHash('sha1').update(queue).digest('base64url').slice(0, 7)}`;

/** The stamp of a queue; undefined when the queue is empty. */
export const hintOf = (hint: WorkHint | undefined, queue: string): unknown => hint?.[hintName(queue)];

const stamp = (): string => newId().slice(-8);

/** A waiting task of an engagement with windows, queued or not: the scheduler reads these rows when a window opens. */
export type WindowedRow = { engagementId: string; taskId: string };

export const windowedRows = defineRow<WindowedRow>({
  name: 'windowed',
  about: 'a waiting task of an engagement with windows',
  key: ({ engagementId, taskId }) => [engagementId, ordinalText(ordinalOf(taskId))],
});

/** The writes that queue tasks, for the transaction that makes them pending. */
export function enqueueWrites(scope: string, tasks: readonly ScannerTask[]): Write[] {
  const windowed = tasks.filter(isWindowed);
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

/** Queues tasks of a pool. The provider's work hint announces them to its scanners. */
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

/** Stamps queues in the work hint of an organization. */
export function raiseHint(scope: string, queues: readonly string[]): Write {
  const raised = stamp();
  const names = queues.map((queue) => [hintName(queue), raised]);
  return { change: rowKey(scope, workHints, hintKey), set: Object.fromEntries(names) };
}

const pendingRow = (scope: string, task: ScannerTask): PendingRow => ({
  queue: isPoolTask(task) ? poolQueue(laneOfTask(task), scope) : scannerQueueOf(task),
  taskId: task.id,
  ...(task.windowEndsAt && { until: Date.parse(task.windowEndsAt) }),
});

/** The key scope of a task's queue: its organization, or all pools. */
const scopeOfQueue = (scope: string, task: ScannerTask): string => (isPoolTask(task) ? GLOBAL_SCOPE : scope);

/** The writes that take a task out of its queue for a lease. They fail when another machine has taken it. */
export const takeWrites = (scope: string, task: ScannerTask): Write[] => [
  dequeueRow(scopeOfQueue(scope, task), pendingRow(scope, task)),
  ...windowedRemovals(scope, task),
];

/** The writes that remove a waiting task. A task of an engagement with windows may be in no queue now. */
export const dequeueWrites = (scope: string, task: ScannerTask): Write[] =>
  task.windowed
    ? [removeRow(scopeOfQueue(scope, task), pendingRow(scope, task)), ...windowedRemovals(scope, task)]
    : takeWrites(scope, task);

const windowedRemovals = (scope: string, task: ScannerTask): Write[] =>
  isWindowed(task)
    ? [{ remove: rowKey(scope, windowedRows, { engagementId: task.engagementId, taskId: task.id }) }]
    : [];

const removeRow = (scope: string, row: PendingRow): Write => ({ remove: rowKey(scope, pendingRows, row) });

export const dequeueRow = (scope: string, row: PendingRow): Write => ({
  remove: rowKey(scope, pendingRows, row),
  condition: { ConditionExpression: 'attribute_exists(pk)' },
  fail: () => new TaskTaken(),
});

/** The writes that queue tasks for an open window, until it ends. They fail when a scanner has one of the tasks. */
export const offerWrites = (scope: string, tasks: readonly WindowedTask[], windowEndsAt: string): Write[] => [
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

/** The write that takes a task out of its queue after its window. It fails when the next window has opened. */
export const closeWrite = (scope: string, task: ScannerTask): Write => ({
  remove: rowKey(scopeOfQueue(scope, task), pendingRows, pendingRow(scope, task)),
  condition: {
    ConditionExpression: 'attribute_not_exists(pk) OR #until <= :now',
    ExpressionAttributeNames: { '#until': 'until' },
    ExpressionAttributeValues: { ':now': nowMs() },
  },
  fail: () => new TaskTaken(),
});

/** A task in its queue; tasks are handed out in the order of `sk`. */
export type QueuedTask = { sk: string; taskId: string; until?: number };

/** The first rows of a queue. The read is consistent, because an empty queue loses its hint. */
export async function readQueue(table: Table, queue: string, width: number): Promise<QueuedTask[]> {
  const anyRow: PendingRow = { queue, taskId: '00000000-0000-7000-8000-000000000000' };
  const { pk } = rowKey(table.tenant, pendingRows, anyRow);
  const rows = await queryRows(table.dynamo, { pk, all: true, limit: width, consistent: true });
  return rows.map(({ sk, taskId, until }) => ({
    sk,
    taskId: String(taskId),
    ...(until !== undefined && { until: Number(until) }),
  }));
}

/** Another machine was faster. */
export class TaskTaken extends Overtaken {}

/** Removes the stamp of an empty queue, unless a task was added since `seen` was read. */
export async function clearHint(table: Table, queue: string, seen: unknown): Promise<void> {
  const { client, tableName } = table.dynamo;
  const clear = new UpdateItemCommand({
    TableName: tableName,
    Key: typed(rowKey(table.tenant, workHints, hintKey)),
    UpdateExpression: 'REMOVE #q',
    ConditionExpression: '#q = :seen',
    ExpressionAttributeNames: { '#q': hintName(queue) },
    ExpressionAttributeValues: typed({ ':seen': seen }),
  });
  await retried(() => client.send(clear)).catch((error: Error) => {
    if (error.name !== 'ConditionalCheckFailedException') throw error;
  });
}
