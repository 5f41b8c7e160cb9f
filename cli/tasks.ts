import { answerOf, type Client, type Schemas } from './client.ts';
import type { Context } from './context.ts';
import { EXIT, Failure } from './errors.ts';

type Task = Schemas['Task'];

/** The longest wait that the service takes in one request. */
export const MAX_WAIT_SECONDS = 20;
const SHOWN_EVERY_SECONDS = 2;

export const isFinished = ({ status }: Pick<Task, 'status'>): boolean => !['queued', 'running'].includes(status);

type Wait = { id: string; name: string; until: number };

/** The task once it has ended. @throws Failure (5) when it has not by then */
export async function finishedTask(context: Context, client: Client, { id, name, until }: Wait): Promise<Task> {
  for (;;) {
    // a person sees the progress of a task, a job of CI only its end
    const most = context.isInteractive ? SHOWN_EVERY_SECONDS : MAX_WAIT_SECONDS;
    const waitSeconds = Math.max(0, Math.min(most, Math.ceil((until - Date.now()) / 1000)));
    const params = { path: { id }, query: { waitSeconds } };
    const task = await answerOf(client.GET('/api/v1/tasks/{id}', { params }));
    if (isFinished(task)) return task;
    if (Date.now() >= until)
      throw new Failure(
        EXIT.incomplete,
        `${name} is still ${task.status}.`,
        `Wait for it with "exposure task wait ${id}".`,
      );
    context.progress(progressOf(name, task));
  }
}

function progressOf(name: string, { status, progress: { done, total, unit, waitsFor } }: Task): string {
  if (waitsFor) return `${name}: waits for another task (${waitsFor.operation})`;
  if (status === 'queued') return `${name}: waits for its turn`;
  return `${name}: ${done.toLocaleString('en')}${total ? ` of ${total.toLocaleString('en')}` : ''} ${unit}`;
}
