import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Actor, objectNamed, Timestamp } from '../http/records.ts';
import { now, secondsAfter } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import { newId } from '../runtime/ids.ts';
import type { SendOptions } from '../runtime/queues.ts';
import { worstFirst } from '../runtime/severities.ts';
import type { Part } from '../table/entity.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import type { Attempt } from './attempts.ts';
import type { JobName } from './jobs.ts';
import type { Operation } from './operations.ts';
import { sendMessage } from './send.ts';

export const TASK_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

/** A task on which another one waits. */
const WaitsFor = z.object({ operation: z.string(), taskId: z.uuid() });

/** How far a task has come. */
export const Progress = z.object({
  done: z.int(),
  total: z.int().optional(),
  unit: z.string(),
  waitsFor: WaitsFor.optional().meta({ description: 'the task that has to end before this task begins' }),
});

/** The progress and the outcome of a queued operation. */
export const Task = objectNamed('Task', {
  id: z.uuid(),
  operation: z.string(),
  status: z.enum(TASK_STATUSES),
  progress: Progress,
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  resource: z.object({ type: z.string(), id: z.string() }).optional(),
  createdBy: Actor.optional().meta({ description: 'unknown for tasks of releases before 1.8' }),
  createdAt: Timestamp,
  startedAt: Timestamp.optional(),
  finishedAt: Timestamp.optional(),
  updatedAt: Timestamp,
});
export type Task = z.infer<typeof Task>;

/** The answer of a queued operation: follow `taskId` at `/api/v1/tasks/{id}`. */
export const QueuedResponse = objectNamed('QueuedResponse', {
  taskId: z.uuid(),
  status: z.literal('queued'),
  resource: z.object({ type: z.string(), id: z.string() }).optional(),
});
export type QueuedResponse = z.infer<typeof QueuedResponse>;

/** A stored task: with its owner, the input of its job, and the checkpoint at which a worker continues. */
export type TaskRow = Task & {
  /** The id of the caller. */
  owner: string;
  job: JobName;
  input: Record<string, unknown>;
  /** Set in the transaction of each slice of work; a redelivered message continues from here. */
  checkpoint?: Record<string, unknown>;
  /** The part of the organization that the owner saw: the work has no other record. */
  part?: Part | undefined;
  /** The work reaches all records in spite of the part: its request has checked those that it names. */
  reachesAll?: true | undefined;
  /** The attempt at the last message. */
  attempt?: Attempt;
};

export const taskRows = defineRow<TaskRow, Pick<TaskRow, 'id'>>({
  name: 'task',
  about: 'a job that a caller queued: its state, result and checkpoint',
  key: ({ id }) => [id],
  expiresAt: ({ updatedAt }) => secondsAfter(updatedAt, TASK_KEPT_SECONDS),
});

/** A task is kept for a month after its last change. */
export const TASK_KEPT_SECONDS = 30 * 86_400;

/** The list that has the tasks of every operation. */
export const EVERY_TASK = 'all';

/**
 * The place of a task in the list of its operation, and in the list of all tasks. It is written with the task and never
 * changes.
 */
export type TaskPlace = Pick<TaskRow, 'id' | 'operation' | 'owner' | 'createdAt'> & { list: string };

export const taskPlaces = defineRow<TaskPlace>({
  name: 'task-list',
  about: 'the tasks of an operation, and those of all, by the time at which they were made',
  key: ({ list, createdAt, id }) => [list, `${createdAt}_${id}`],
  expiresAt: ({ createdAt }) => secondsAfter(createdAt, TASK_KEPT_SECONDS),
});

export type TaskRequest = {
  operation: Operation;
  job: JobName;
  unit: string;
  input: Record<string, unknown>;
  resource?: { type: string; id: string };
  send?: SendOptions;
  id?: string;
  reachesAll?: true;
};

/** Whether a caller with a part may see a task: an own one, which was made with the same part. */
export const isOfPart = ({ part, actor }: Pick<Table, 'part' | 'actor'>, task: TaskRow): boolean =>
  !part || (task.owner === actor.id && isDeepStrictEqual(task.part, part));

/** The part that the work of a task has. */
export const partOfWork = ({ part, reachesAll }: Pick<TaskRow, 'part' | 'reachesAll'>): Part | undefined =>
  reachesAll ? undefined : part;

export const isFinished = ({ status }: Task): boolean => !['queued', 'running'].includes(status);

/** The row of a new task, for callers that write it in a batch of their own. */
export function newTask(createdBy: z.infer<typeof Actor>, request: TaskRequest): TaskRow {
  const { operation, job, input, resource, reachesAll, id = newId() } = request;
  const time = now();
  const begun = {
    status: 'queued',
    progress: { done: 0, unit: request.unit },
    createdAt: time,
    updatedAt: time,
  } as const;
  return {
    id,
    operation,
    job,
    input,
    resource,
    owner: createdBy.id,
    createdBy,
    ...begun,
    ...(reachesAll && { reachesAll }),
  };
}

/** A task that its request has done already, kept as its answer. */
export function doneTask(
  createdBy: z.infer<typeof Actor>,
  request: Omit<TaskRequest, 'send' | 'input'> & { result: object },
): TaskRow {
  const time = now();
  const done = { status: 'succeeded' as const, result: { ...request.result }, startedAt: time, finishedAt: time };
  return { ...newTask(createdBy, { ...request, input: {} }), ...done };
}

/** The writes that make a task, for a batch. `fail` makes the error for a task that exists already. */
export function newTaskWrites(
  { tenant, part }: Pick<Table, 'tenant' | 'part'>,
  task: TaskRow,
  fail?: Write['fail'],
): Write[] {
  const { id, operation, owner, createdAt } = task;
  const place = { id, operation, owner, createdAt };
  return [
    putWrite(tenant, taskRows, { row: { ...task, ...(part && { part }) }, expect: 'absent', fail }),
    ...[operation, EVERY_TASK].map((list) => putWrite(tenant, taskPlaces, { row: { ...place, list } })),
  ];
}

/** Sends the message of a task. Without another group it keeps no order with others. */
export const sendTask = (
  connections: Pick<Connections, 'queues'>,
  { organizationId }: Table,
  { id, job }: Pick<TaskRow, 'id' | 'job'>,
  send: SendOptions = {},
): Promise<void> =>
  sendMessage(connections, job, { organizationId, taskId: id }, { deduplicationId: id, group: id, ...send });

export const queued = ({ id, resource }: TaskRow): QueuedResponse => ({ taskId: id, status: 'queued', resource });

/** The next state of a task, and its write for the transaction of a slice. */
export function taskStep(table: Table, task: TaskRow, changes: Partial<TaskRow>): { next: TaskRow; write: Write } {
  const next = { ...task, ...changes, updatedAt: now() };
  const fail = () => new Error(`task ${task.id} was changed by another worker`);
  return { next, write: putWrite(table.tenant, taskRows, { row: next, expect: { updatedAt: task.updatedAt }, fail }) };
}

export const taskWrite = (table: Table, task: TaskRow, changes: Partial<TaskRow>): Write =>
  taskStep(table, task, changes).write;

/** The fields of a task that callers read, in the order of the schema: rows have none. */
export const publicTask = (row: TaskRow): Task =>
  Task.parse({ ...row, ...(row.result && { result: worstFirst(row.result) }) });
