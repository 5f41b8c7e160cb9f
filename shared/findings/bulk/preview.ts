import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import { isFinished } from '#shared/platform/jobs/task.ts';
import { MAX_WAIT_SECONDS, WaitedResponse, waitForTask } from '#shared/platform/jobs/wait.ts';
import { ApiError, type ErrorCode, errorStatus } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Entity, ListItem, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { PREVIEW } from '../view/previewed.ts';
import { Tally } from './decision.ts';
import { type ManyRequest, queueMany } from './queue.ts';

/** The result of a task that previews a change. */
export const ChangePreview = objectNamed('ChangePreview', {
  ...Tally.shape,
  matched: z.int().meta({ description: 'the records that the change would read; each of them was tried' }),
  findings: z
    .object({ matched: z.int(), changed: z.int() })
    .optional()
    .meta({ description: 'of a decision on vulnerabilities: the findings that it concerns, and that would follow it' }),
  links: z.object({ list: z.string(), findings: z.string().optional() }).meta({
    description:
      'the list of the records that would change, and of the findings that would follow them, for a day; other parameters of the ' +
      'list combine with it',
    example: { list: '/api/v1/findings?filter=preview:01900000-0000-7000-8000-000000000000' },
  }),
});
type ChangePreview = z.infer<typeof ChangePreview>;

const MAX_SAMPLE = 20;

/** The answer to a `dryRun` on records of a kind; `sample` shows these fields. */
export const previewOf = <S extends z.ZodType>(sample: S) =>
  ChangePreview.extend({
    sample: z.array(sample).meta({ description: `the newest ${MAX_SAMPLE} that would be changed` }),
  });

/** The answer of an operation that previews a change. */
export const PreviewAnswer = WaitedResponse.extend({
  preview: ChangePreview.optional().meta({
    description: 'if the task ended within 20 seconds; later it is the `result` of the task',
  }),
}).meta({ id: 'PreviewAnswer' });

/**
 * Queues a task that decides as the change would, changes nothing, and marks what would change; waits for its end.
 * @throws the error of the task
 */
export async function answerPreview(context: Context, { operation, input, ...request }: ManyRequest) {
  const queued = await queueMany(context, {
    ...request,
    operation: 'preview_change',
    input: { of: operation, ...input },
  });
  const task = await waitForTask(context.table, queued.taskId, MAX_WAIT_SECONDS);
  if (!task || !isFinished(task)) return queued;
  if (task.error) throw new ApiError(isCode(task.error.code) ? task.error.code : 'internal_error', task.error.message);
  return { ...queued, status: task.status, preview: task.result as ChangePreview };
}

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorStatus, code);

type Sampled<T extends Stored, D extends keyof T, S> = {
  entity: Entity<T, D>;
  sampleOf: (row: ListItem<T, D>) => S;
};

/** The newest of the records that a preview has found. */
export async function sampleOfPreview<T extends Stored, D extends keyof T, S>(
  table: Table,
  taskId: string,
  { entity, sampleOf }: Sampled<T, D, S>,
): Promise<S[]> {
  const page = { paginateFrom: 0, paginateSize: MAX_SAMPLE, where: { [PREVIEW]: taskId } };
  const { data } = await table.list<T, D>(entity, page);
  return data.map(sampleOf);
}
