import * as z from 'zod';
import { numberIn } from '#shared/platform/http/pagination.ts';
import { TASK_STATUSES, type Task, taskRows } from '#shared/platform/jobs/task.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Delivery, type DeliveryRow, deliveries, received } from './deliveries.ts';
import { DeliveryResult } from './result.ts';

/** The fields of an event that come from its task. */
export const worked = {
  status: z.enum(TASK_STATUSES),
  outcome: DeliveryResult.nullable().meta({ description: 'null while it waits' }),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
};

export const DeliveriesQuery = z.object({
  before: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z_[\w.:-]{1,100}$/, 'must be `next` of an answer of this operation')
    .optional()
    .meta({ description: '`next` of the previous answer' }),
  limit: numberIn(z.int().min(1).max(100))
    .default(50)
    .meta({ description: 'maximum number of deliveries in the answer' }),
});
type Range = z.infer<typeof DeliveriesQuery>;

/** The answer with a page of deliveries of this form. */
export const pageOfDeliveries = <D extends z.ZodType>(delivery: D) =>
  z.object({
    data: z.array(delivery),
    next: z
      .string()
      .nullable()
      .meta({ description: 'send it as `before` to get the next page; null: there are no more' }),
  });

type Shown<D> = { table: Table; integrationId: string; as: D };

/** The newest deliveries before `before`, each in the form of the schema with the state of its task. */
export async function listDeliveries<D extends z.ZodType>(
  { table, integrationId, as }: Shown<D>,
  { before = '~', limit }: Range,
): Promise<{ data: z.output<D>[]; next: string | null }> {
  const rows = await table.rows(deliveries).query(integrationId, {
    between: { from: '0', to: before },
    backward: true,
    limit: limit + 2,
  });
  const older = rows.filter((row) => placeOf(row) !== before);
  const page = older.slice(0, limit);
  const tasks = await table.rows(taskRows).findMany(page.map(({ taskId }) => ({ id: taskId })));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const last = page.at(-1);
  const data = page.map((delivery) => as.parse(withOutcome(delivery, byId.get(delivery.taskId))));
  return { data, next: older.length > limit && last ? placeOf(last) : null };
}

/** One delivery by its sender's id. @throws not_found */
export async function readDelivery<D extends z.ZodType>(
  { table, integrationId, as }: Shown<D>,
  deliveryId: string,
): Promise<z.output<D>> {
  const kept = await table.rows(received).find({ integrationId, deliveryId });
  if (!kept) throw notFound('delivery', deliveryId);
  const { receivedAt, taskId } = kept;
  const [delivery, task] = await Promise.all([
    table.rows(deliveries).find({ integrationId, receivedAt, deliveryId }),
    table.rows(taskRows).find({ id: taskId }),
  ]);
  if (!delivery) throw notFound('delivery', deliveryId);
  return as.parse(withOutcome(delivery, task));
}

function withOutcome(delivery: DeliveryRow, task?: Pick<Task, 'status' | 'result' | 'error'>) {
  const { status = 'queued', result = null, error = null } = task ?? {};
  return { ...delivery, status, outcome: result, error };
}

const placeOf = ({ receivedAt, deliveryId }: Pick<Delivery, 'receivedAt' | 'deliveryId'>): string =>
  `${receivedAt}_${deliveryId}`;
