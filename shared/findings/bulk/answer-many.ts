import { answerWithin } from '#shared/platform/jobs/wait.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Entity, ListItem, Stored } from '#shared/platform/table/entity.ts';
import { answerPreview, sampleOfPreview } from './preview.ts';
import { type ManyRequest, queueMany } from './queue.ts';

/** A request that changes many records. */
type Asked = Context & { body: { dryRun: boolean }; query: { waitSeconds: number } };

type Changed<T extends Stored, D extends keyof T, S> = ManyRequest & {
  entity: Entity<T, D>;
  /** The fields of a record that a preview shows. */
  sampleOf: (row: ListItem<T, D>) => S;
};

/** Queues the change and waits for its task as long as asked; a dry run answers the preview instead. */
export async function answerMany<T extends Stored, D extends keyof T, S>(
  { connections, table, body, query }: Asked,
  { entity, sampleOf, ...request }: Changed<T, D, S>,
) {
  const context = { connections, table };
  if (!body.dryRun) return answerWithin(table, await queueMany(context, request), query.waitSeconds);
  const answer = await answerPreview(context, request);
  if (!('preview' in answer)) return answer;
  const sample = await sampleOfPreview<T, D, S>(table, answer.taskId, { entity, sampleOf });
  return { ...answer, preview: { ...answer.preview, sample } };
}
