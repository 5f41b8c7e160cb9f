import { COMPLETION_OPERATION, completionIdOf, expiryOf, hasExpired, putSealed } from '#shared/apex/completion.ts';
import { heldTask } from '#shared/apex/presence.ts';
import { inSeconds } from '#shared/clock.ts';
import { conflict, notFound } from '#shared/http/errors.ts';
import type { Call, Handlers } from '#shared/http/route.ts';
import { newId } from '#shared/ids.ts';
import { newTask, sendTask, type TaskRow, taskRows } from '#shared/jobs/task.ts';
import { waitForTask } from '#shared/jobs/wait.ts';
import { resultOf } from './result.ts';
import type { apexLlmRoutes } from './routes.ts';

type Submission = Call<(typeof apexLlmRoutes)['submitCompletion']>;

export const apexLlmHandlers: Handlers<typeof apexLlmRoutes> = {
  async submitCompletion(call) {
    const { table, caller, body } = call;
    const { taskId, idempotencyKey: key } = body;
    if (!(await heldTask(table, caller.id, taskId)))
      throw conflict(`You do not hold the task ${taskId} (any more): ask for nothing more on its behalf.`);
    const id = key === undefined ? newId() : completionIdOf({ machineId: caller.id, taskId, key });
    const standing = await table.rows(taskRows).find({ id }, true);
    if (standing && isStuck(standing)) await sendTask(call.ports, table, standing);
    return { requestID: id, status: 'queued', expiresAt: expiryOf(standing ?? (await submit(call, id))) };
  },

  async getCompletion({ ports, table, caller, params, query }) {
    const id = params.requestID;
    const isTheirs = (row: TaskRow | undefined) => row?.operation === COMPLETION_OPERATION && row.owner === caller.id;
    const standing = await table.rows(taskRows).find({ id }, true);
    if (!standing || !isTheirs(standing) || hasExpired(standing)) throw notFound('completion', id);
    const task = await waitForTask(table, id, query.waitSeconds);
    return resultOf(ports, table, task ?? standing);
  },
};

/** Whoever wrote it may have stopped before the message was sent. A second message is dropped by the worker. */
const STUCK_SECONDS = 60;
const isStuck = ({ status, createdAt }: TaskRow): boolean =>
  status === 'queued' && createdAt < inSeconds(-STUCK_SECONDS);

/** The prompt lies sealed before the row says so, and the row before the message is sent. */
async function submit({ ports, table, body }: Submission, id: string): Promise<TaskRow> {
  const { taskId, idempotencyKey: _key, ...prompt } = body;
  const { organizationId } = table;
  const request = {
    id,
    operation: COMPLETION_OPERATION,
    job: 'completions',
    unit: 'calls',
    input: { taskId },
  } as const;
  const task = newTask(table.actor.id, request);
  await putSealed(ports, { organizationId, id, part: 'prompt' }, prompt);
  // Whoever was first with the same key has the row, and sends the message.
  if (await table.rows(taskRows).put(task, 'absent')) await sendTask(ports, table, task);
  return task;
}
