import { createHash } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { queueOf, type ScannerTask } from '../entities/scanner-task.ts';
import { newId, ordinalOf } from '../ids.ts';
import type { Write } from '../table/commit.ts';
import { ordinalText } from '../table/keys.ts';
import { defineRow, putWrite, rowKey } from '../table/row.ts';
import type { Table } from '../table/table.ts';

/** A task that waits: one row per task, in the partition of its queue, oldest first; `order` comes before the age. */
export type PendingRow = { queue: string; taskId: string; order?: string };

export const pendingRows = defineRow<PendingRow>({
  name: 'pending',
  key: ({ queue, taskId, order = '' }) => [queue, `${order}${ordinalText(ordinalOf(taskId))}`],
});

/**
 * Where work may wait: one row per organization, an attribute per queue. Whoever makes a task pending sets a fresh
 * stamp in the same transaction; a poller that finds a queue empty takes the stamp away if it is still the one that it
 * read before it looked. So an idle poll reads this row instead of every queue, and no task is overlooked.
 */
export type WorkHint = Record<string, unknown>;
type HintKey = { row: 'all' };

export const workHints = defineRow<WorkHint, HintKey>({ name: 'work', key: ({ row }) => [row] });
export const hintKey: HintKey = { row: 'all' };

/** Short, for the row is read by every poll: 300 queues fit into one read unit. */
const hintName = (queue: string): string => `q${createHash('sha1').update(queue).digest('base64url').slice(0, 7)}`;

/** The stamp of a queue, undefined when nothing waits there. */
export const hintOf = (hint: WorkHint | undefined, queue: string): unknown => hint?.[hintName(queue)];

const stamp = (): string => newId().slice(-8);

/** The writes that put tasks into their queues, for the transaction that makes them pending. */
export const enqueueWrites = (scope: string, tasks: readonly ScannerTask[]): Write[] =>
  enqueueRows(scope, tasks.map(pendingRow));

export function enqueueRows(scope: string, rows: readonly PendingRow[]): Write[] {
  if (rows.length === 0) return [];
  const names = [...new Set(rows.map(({ queue }) => hintName(queue)))];
  const raise: Write = {
    change: rowKey(scope, workHints, hintKey),
    set: {
      UpdateExpression: `SET ${names.map((_, n) => `#q${n} = :s`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name, n) => [`#q${n}`, name])),
      ExpressionAttributeValues: { ':s': stamp() },
    },
  };
  return [...rows.map((row) => putWrite(scope, pendingRows, { row })), raise];
}

const pendingRow = (task: ScannerTask): PendingRow => ({ queue: queueOf(task), taskId: task.id });

/** Takes a task out of its queue; fails when another has taken it. */
export const dequeueWrite = (scope: string, task: ScannerTask): Write => dequeueRow(scope, pendingRow(task));

export const dequeueRow = (scope: string, row: PendingRow): Write => ({
  remove: rowKey(scope, pendingRows, row),
  condition: { ConditionExpression: 'attribute_exists(pk)' },
  fail: () => new Taken(),
});

/** Another scanner was faster. */
export class Taken extends Error {}

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
