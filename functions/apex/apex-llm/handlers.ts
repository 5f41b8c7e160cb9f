import { COMPLETION_OPERATION, completionIdOf, expiryOf, hasExpired, putSealed } from '#shared/apex/completion.ts';
import { heldTask } from '#shared/apex/presence.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { newTask, newTaskWrites, sendTask, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { causedTaskWrites, organizationOfCausedTask } from '#shared/platform/jobs/tasks-of-others.ts';
import { waitForTask } from '#shared/platform/jobs/wait.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { conflict, notFound } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { resultOf } from './result.ts';
import type { apexLlmRoutes } from './routes.ts';

type Submission = Call<(typeof apexLlmRoutes)['submitCompletion']>;

export const apexLlmHandlers: Handlers<typeof apexLlmRoutes> = {
  async submitCompletion(call) {
    const { table, caller, body } = call;
    const { taskId, idempotencyKey: key } = body;
    const held = await heldTask(table, caller.id, taskId);
    if (!held) throw conflict(`You no longer hold the task ${taskId}: send no more requests for it.`);
    const id = key === undefined ? newId() : completionIdOf({ machineId: caller.id, taskId, key });
    const { owner } = held;
    const current = await owner.rows(taskRows).find({ id }, true);
    if (current && isStuck(current)) await sendTask(call.connections, owner, current);
    const task = current ?? (await submit(call, { id, owner }));
    return { requestID: id, status: 'queued', expiresAt: expiryOf(task) };
  },

  async getCompletion({ connections, table, caller, params, query }) {
    const id = params.requestID;
    const isTheirs = (row: TaskRow | undefined) => row?.operation === COMPLETION_OPERATION && row.owner === caller.id;
    const { owner, current } = await findCompletion(table, id);
    if (!current || !isTheirs(current) || hasExpired(current)) throw notFound('completion', id);
    const task = await waitForTask(owner, id, query.waitSeconds);
    return resultOf({ connections, table: owner }, task ?? current);
  },
};

/** A completion belongs to the organization of its task. */
async function findCompletion(table: Table, id: string) {
  const own = await table.rows(taskRows).find({ id }, true);
  const owner = (own === undefined ? await organizationOfCausedTask(table, id) : undefined) ?? table;
  return { owner, current: owner === table ? own : await owner.rows(taskRows).find({ id }, true) };
}

/** After so long the message of a queued task was perhaps never sent. The worker drops a second message. */
const STUCK_SECONDS = 60;
const isStuck = ({ status, createdAt }: TaskRow): boolean =>
  status === 'queued' && createdAt < inSeconds(-STUCK_SECONDS);

/** Keeps the sealed prompt, then writes the row, then sends the message. */
async function submit({ connections, table, body }: Submission, { id, owner }: { id: string; owner: Table }) {
  const { taskId, idempotencyKey: _key, ...prompt } = body;
  const { organizationId } = owner;
  const request = {
    id,
    operation: COMPLETION_OPERATION,
    job: 'completions',
    unit: 'calls',
    input: { taskId },
  } as const;
  const task = newTask(table.actor, request);
  await putSealed(connections, { organizationId, id, part: 'prompt' }, prompt);
  // of two requests with the same key, only the first writes the row and sends the message
  if (await queue(table, owner, task)) await sendTask(connections, owner, task);
  return task;
}

/** @returns false when the task is queued already */
async function queue(table: Table, owner: Table, task: TaskRow): Promise<boolean> {
  const batch = table.batch();
  batch.write(...newTaskWrites(owner, task, () => new Repeated()), ...causedTaskWrites(table, owner, task));
  return batch.commit().then(
    () => true,
    (error: unknown) => {
      if (error instanceof Repeated) return false;
      throw error;
    },
  );
}

class Repeated extends Error {}
