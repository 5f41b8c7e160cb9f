import { answerOf, client } from './client.ts';
import type { Task } from './types.ts';

type Ending = { status: string };

export const isOver = ({ status }: Ending): boolean => status !== 'queued' && status !== 'running';

/** The service answers when the task is over, or after so many seconds. */
export const readTask = (id: string, waitSeconds: number): Promise<Task> =>
  answerOf(client.GET('/api/v1/tasks/{id}', { params: { path: { id }, query: { waitSeconds } } }));

/** Reads a task until it is over; each answer is shown. @returns the last answer. @throws Refused */
export async function untilOver<T extends Ending>(read: () => Promise<T>, show?: (answer: T) => void): Promise<T> {
  for (;;) {
    const answer = await read();
    show?.(answer);
    if (isOver(answer)) return answer;
  }
}
