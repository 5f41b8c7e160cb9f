import { HostError } from '#shared/outgoing/host-error.ts';
import type { Integration } from '#shared/entities/integration.ts';
import { noteHost } from '#shared/integrations/health.ts';
import { sendTask, type TaskRow, taskStep } from '#shared/jobs/task.ts';
import { TaskFailure, type Work } from '#shared/jobs/worker.ts';
import type { Table } from '#shared/table/table.ts';
import { putTimer } from '#shared/timers/timers.ts';

/** Keeps how far a task has come. @returns the task as it is then */
export async function keepStep(table: Table, task: TaskRow, changes: Partial<TaskRow>): Promise<TaskRow> {
  const { next, write } = taskStep(table, task, changes);
  const batch = table.batch();
  batch.write(write);
  await batch.commit();
  return next;
}

type Later = Work & { group: string };

/** Queues the next slice of a task, which begins at its checkpoint. */
export async function continueNow({ connections, table, task, group }: Later, slice: number): Promise<undefined> {
  await sendTask(connections, table, task, { group, deduplicationId: `${task.id}-${slice}` });
}

/**
 * Ends a slice in which a code host refused. One that limits requests is asked again when it may be; one that is away comes back,
 * and so does the message.
 */
export async function waitOrFail(later: Later, integration: Integration, error: unknown): Promise<undefined> {
  if (!(error instanceof HostError)) throw error;
  const { code, message, retryAt } = error;
  if (retryAt) return continueAt(later, retryAt);
  // an access that was taken away is no fault of the host
  if (code !== 'no_token') await noteHost(later.table, integration, { code, message });
  throw code === 'unreachable' ? error : new TaskFailure(code, message);
}

async function continueAt({ table, task, group }: Later, at: string): Promise<undefined> {
  const send = { group, deduplicationId: `${task.id}-${at}` };
  const timer = { kind: 'send' as const, at: Date.parse(at), organizationId: table.organizationId, id: task.id, send };
  const batch = table.batch();
  batch.write(taskStep(table, task, { status: 'queued' }).write, putTimer(timer));
  await batch.commit();
}
