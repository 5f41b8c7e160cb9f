import * as z from 'zod';
import { Id } from '#shared/platform/http/records.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';

/** The part of the answer to a poll that every kind of machine gets. */
export const pollAnswer = {
  cancel: z.array(z.object({ taskId: Id, reason: z.string() })),
  lost: z.array(Id).meta({ description: 'tasks that the machine no longer holds: stop them' }),
  pollAfterSeconds: z.int().positive(),
};

const CompletedTaskAnswer = z.object({
  taskId: z.string(),
  accepted: z.boolean(),
  code: z.string().optional(),
  message: z.string().optional(),
  ingestTaskIds: z.array(Id).optional().meta({ description: 'one task per report that is being read' }),
});
export type CompletedTaskAnswer = z.infer<typeof CompletedTaskAnswer>;

export const CompletedTasksAnswer = z.object({ ...QueuedResponse.shape, results: z.array(CompletedTaskAnswer) });
export type CompletedTasksAnswer = z.infer<typeof CompletedTasksAnswer>;

/** One of several items of a request, checked separately: the item, or its id and the reason for its refusal. */
export function parseItem<T>(schema: z.ZodType<T>, raw: unknown, idField: string): { item: T } | BadItem {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { item: parsed.data };
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'invalid' };
  const id: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, idField) : undefined;
  return { badId: typeof id === 'string' ? id : '', message: `${path.join('.') || 'the item'}: ${message}` };
}

type BadItem = { badId: string; message: string };
