import * as z from 'zod';
import { numberIn } from '../http/pagination.ts';
import { TASK_STATUSES, taskRows } from '../jobs/task.ts';
import type { Table } from '../table/table.ts';
import { type Delivery, type DeliveryRow, deliveries } from './deliveries.ts';
import { DeliveryResult } from './result.ts';

/** The fields of an event that came which its task knows. */
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
    .meta({ description: '`next` of the answer before' }),
  limit: numberIn(z.int().min(1).max(100)).default(50).meta({ description: 'deliveries of the answer at most' }),
});
type Range = z.infer<typeof DeliveriesQuery>;

/** The answer with a page of deliveries of this form. */
export const pageOfDeliveries = <D extends z.ZodType>(delivery: D) =>
  z.object({
    data: z.array(delivery),
    next: z.string().nullable().meta({ description: 'send it as `before` to go on; null: there is no more' }),
  });

/** The newest deliveries before `before`, each in the form of the schema with the state of its task. */
export async function listDeliveries<D extends z.ZodType>(
  { table, integrationId, as }: { table: Table; integrationId: string; as: D },
  { before = '~', limit }: Range,
): Promise<{ data: z.output<D>[]; next: string | null }> {
  const rows = await table.rows(deliveries).query(integrationId, {
    ...{ between: { from: '0', to: before }, backward: true, limit: limit + 2 },
  });
  const older = rows.filter((row) => placeOf(row) !== before);
  const page = older.slice(0, limit);
  const tasks = await table.rows(taskRows).findMany(page.map(({ taskId }) => ({ id: taskId })));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const last = page.at(-1);
  const show = (delivery: DeliveryRow) => {
    const { status = 'queued', result, error = null } = byId.get(delivery.taskId) ?? {};
    return as.parse({ ...delivery, status, outcome: result ?? null, error });
  };
  return { data: page.map(show), next: older.length > limit && last ? placeOf(last) : null };
}

const placeOf = ({ receivedAt, deliveryId }: Pick<Delivery, 'receivedAt' | 'deliveryId'>): string =>
  `${receivedAt}_${deliveryId}`;
