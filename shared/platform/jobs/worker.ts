import type { Context as LambdaContext, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { now } from '../runtime/clock.ts';
import { openConnections } from '../runtime/connections.ts';
import { withinTime } from '../runtime/deadline.ts';
import { ApiError, Overtaken } from '../runtime/errors.ts';
import { log } from '../runtime/log.ts';
import { systemActor } from '../table/actor.ts';
import type { Context } from '../table/context.ts';
import { openTable, type Table } from '../table/table.ts';
import { type Attempt, amongSuspects, counted, deathsOf, MAX_DEATHS, visitCounted, WorkerDied } from './attempts.ts';
import { type Job, type JobName, jobs, queueName, returnSeconds } from './jobs.ts';
import { checkResult, type Results } from './results.ts';
import { isFinished, partOfWork, type TaskRow, taskRows } from './task.ts';

export type Work = Context & {
  task: TaskRow;
  /** There, the work decides and changes nothing; the results of its parts go here and not to the task of the work. */
  preview?: { results?: readonly Record<string, unknown>[] | undefined } | undefined;
};
export type WorkerHandler = (event: SQSEvent, context: LambdaContext) => Promise<SQSBatchResponse>;

/** Work that can never succeed: the task fails with this reason and its message is not retried. */
export class TaskFailure extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Whether a task ends with this error. After too many conflicts with other writers it continues with its next delivery.
 */
export const endsTask = (error: unknown): error is TaskFailure | ApiError =>
  error instanceof TaskFailure || (error instanceof ApiError && !(error instanceof Overtaken));

/** Why a task failed, or a message was given up: a code and a sentence. */
export type Failure = NonNullable<TaskRow['error']>;

type Run = (work: Work) => Promise<Record<string, unknown> | undefined>;

export type WorkerOptions = {
  results: Results;
  /** The input of a task ends with the task: it names people, and nothing needs it any more. */
  forgetsInput?: boolean;
  /** Called for a message that names no task. */
  visit?: (context: Context, message: object) => Promise<void>;
  /** Called for a redelivered message of a finished task: the steps after its end may be missing. */
  finished?: (work: Work) => Promise<void>;
  /** Called when a task has failed for good, to release everything that the task holds. */
  deadLettered?: (work: Work) => Promise<void>;
  /** Called once a message that names no task is given up, to say so where people look. */
  visitGivenUp?: (context: Context, message: object, reason: Failure) => Promise<void>;
};

type Worker = WorkerOptions & { run: Run };

/** Works a task by its operation. @throws when no release that runs knows the operation: the message comes again */
export const byOperation =
  (works: Readonly<Record<string, Run>>): Run =>
  (work) => {
    const { operation } = work.task;
    const run = Object.hasOwn(works, operation) ? works[operation] : undefined;
    if (!run) throw new Error(`the operation ${operation}, which nobody works`);
    return run(work);
  };

/**
 * The Lambda of a queue. `run` works one task and returns its result, or undefined when it queued a continuation. It
 * stops at the first failure of a message group and returns the rest of the group, which keeps the order.
 */
export function workerHandler(name: JobName, run: Run, options: WorkerOptions): WorkerHandler {
  const job = jobs[name];
  return async ({ Records }, context) => {
    const failed: SQSRecord[] = [];
    for (const record of Records) {
      const group = record.attributes.MessageGroupId;
      const blocked = failed.some(({ attributes }) => attributes.MessageGroupId === group);
      const worked = () => workMessage(job, { run, ...options }, record);
      if (blocked || !(await withinTime(context, worked))) failed.push(record);
    }
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

type TaskMessage = { organizationId: string; taskId: string };
type Message = { organizationId: string; taskId?: string };

const namesTask = (message: Message): message is TaskMessage => message.taskId !== undefined;

/** @returns whether the message is done and may be deleted */
async function workMessage(job: Job, worker: Worker, record: SQSRecord): Promise<boolean> {
  const { messageId, attributes, body } = record;
  const received = Number(attributes.ApproximateReceiveCount);
  const { data: message } = job.message.safeParse(parsed(body)) as { data?: Message };
  const about = { job: job.name, messageId, ...message };
  const report = (cause: unknown) => log.error('failed job not handled', { ...about, error: cause as Error });
  try {
    await workDelivery(worker, message, { messageId, received, isUsedUp: received > job.attempts });
    return true;
  } catch (error) {
    log.error('job failed', { ...about, received, error: error as Error });
    const hasDied = error instanceof WorkerDied;
    if (message && (hasDied || received >= job.attempts))
      await giveUp(worker, message, hasDied ? DIED : FAILED).catch(report);
    // also the last: only when it comes again, the queue makes it a dead letter and lets its group go on
    const isWaiting = !hasDied && received < job.attempts;
    await returnIn(job, record, isWaiting ? returnSeconds(received) : 1).catch(report);
    return false;
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

type Delivery = { messageId: string; received: number; isUsedUp: boolean };

async function workDelivery(worker: Worker, message: Message | undefined, delivery: Delivery): Promise<void> {
  if (!message) throw new Error('the message names no task');
  if (!namesTask(message)) {
    const visit = visitOf(message);
    return visitCounted(visit.table.dynamo, delivery, async () => worker.visit?.(visit, message));
  }
  const work = await readWork(message);
  if (!work) return;
  if (hasEnded(work.task)) return worker.finished?.(work);
  if (delivery.isUsedUp) throw new Error('the worker stopped at every attempt');
  const deaths = deathsOf(work.task.attempt, delivery.messageId);
  await amongSuspects(deaths, () => workTask(work, worker, { messageId: delivery.messageId, unanswered: deaths + 1 }));
}

function visitOf({ organizationId }: Message): Context {
  const connections = openConnections();
  return { connections, table: openTable(connections.dynamo, organizationId) };
}

async function readWork({ organizationId, taskId }: TaskMessage): Promise<Work | undefined> {
  const connections = openConnections();
  const task = await rowsOf(openTable(connections.dynamo, organizationId)).find({ id: taskId }, true);
  const cause = task && { operation: task.operation, taskId };
  const table = openTable(connections.dynamo, organizationId, { ...systemActor, cause }, task && partOfWork(task));
  return task && { table, task, connections };
}

const returnIn = (job: Job, { receiptHandle }: SQSRecord, seconds: number): Promise<void> =>
  openConnections().queues.returnIn(queueName(job), receiptHandle, seconds);

const FAILED: Failure = {
  code: 'dead_lettered',
  message: 'A part of the service failed repeatedly. The work is kept and can be redriven.',
};

const DIED: Failure = {
  code: 'worker_died',
  message:
    `The worker died at ${MAX_DEATHS} attempts without an answer: the input may need more memory or time than available. Send the ` +
    'input in smaller parts. The work is kept and can be redriven.',
};

/** A task that was given up has not ended: it is worked again when its message is redriven. */
const hasEnded = (task: TaskRow): boolean =>
  isFinished(task) && ![FAILED.code, DIED.code].includes(task.error?.code ?? '');

/** Works a task from its start, or from its checkpoint; the same write sets it to running and counts the attempt. */
async function workTask(work: Work, worker: Worker, attempt: Attempt): Promise<void> {
  const { table } = work;
  const rows = table.rows(taskRows);
  const time = now();
  const started = {
    status: 'running' as const,
    startedAt: work.task.startedAt ?? time,
    updatedAt: time,
    error: undefined,
    finishedAt: undefined,
    attempt,
  };
  const task = { ...work.task, ...started };
  const begin = async () => {
    if (!(await rows.set({ id: task.id }, started, { updatedAt: work.task.updatedAt })))
      throw new Error(`task ${task.id} is being changed by another worker`);
  };
  const before = { ...attempt, unanswered: attempt.unanswered - 1 };
  const takeBack = () => rows.set({ id: task.id }, { attempt: before }, { attempt });
  await counted({ begin, takeBack }, () => runTask({ ...work, task }, worker));
}

async function runTask(work: Work, { run, results, forgetsInput }: Worker): Promise<void> {
  const { task, table, connections } = work;
  const rows = rowsOf(table);
  const forgotten = forgetsInput && { input: {} };
  try {
    const result = await run(work);
    if (!result) return;
    checkResult(connections, results, { ...task, result });
    await finish(rows, task.id, { status: 'succeeded', result, ...forgotten });
  } catch (error) {
    if (!endsTask(error)) throw error;
    const failed = { status: 'failed' as const, error: { code: error.code, message: error.message } };
    await finish(rows, task.id, { ...failed, ...forgotten });
  }
}

type Rows = ReturnType<typeof rowsOf>;
const rowsOf = (table: Table) => table.rows(taskRows);

/** A task that somebody cancelled meanwhile, or that its last step ended, keeps its state. */
const finish = (rows: Rows, id: string, changes: Partial<TaskRow>): Promise<boolean> => {
  const time = now();
  const ended = { ...changes, checkpoint: undefined, finishedAt: time, updatedAt: time };
  return rows.set({ id }, ended, { status: 'running' });
};

const giveUp = (worker: Worker, message: Message, reason: Failure): Promise<void> =>
  namesTask(message)
    ? giveUpTask(worker, message, reason)
    : (worker.visitGivenUp?.(visitOf(message), message, reason) ?? Promise.resolve());

/**
 * Marks the task as failed when its message has failed for good, so that its owner sees the failure and the task's
 * places are free. A redriven message is worked again. A task that has ended keeps its state: only a step after its end
 * failed, and redriving repeats that step.
 */
async function giveUpTask({ deadLettered }: Worker, message: TaskMessage, error: Failure): Promise<void> {
  const work = await readWork(message);
  if (!work || hasEnded(work.task)) return;
  const { task, table } = work;
  const time = now();
  const failed = { status: 'failed' as const, error, finishedAt: time, updatedAt: time };
  // a task that is marked already: the worker may have stopped before it released the task's places
  if (isFinished(task) || (await rowsOf(table).set({ id: task.id }, failed, { status: task.status })))
    await deadLettered?.({ ...work, task: isFinished(task) ? task : { ...task, ...failed } });
}
