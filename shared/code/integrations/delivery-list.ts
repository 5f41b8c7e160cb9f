import * as z from 'zod';
import { backwardQuery, readBackward } from '#shared/platform/http/backward.ts';
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

/** `before` is the time at which a delivery came, and its id. */
export const DeliveriesQuery = backwardQuery(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z_[\w.:-]{1,100}$/);
type Range = z.infer<typeof DeliveriesQuery>;

type Shown<D> = { table: Table; integrationId: string; as: D };

/** The newest deliveries before `before`, each in the form of the schema with the state of its task. */
export async function listDeliveries<D extends z.ZodType>(
  { table, integrationId, as }: Shown<D>,
  range: Range,
): Promise<{ data: z.output<D>[]; next: string | null }> {
  const rows = table.rows(deliveries);
  const { data, next } = await readBackward((asked) => rows.query(integrationId, asked), range, placeOf);
  const tasks = await table.rows(taskRows).findMany(data.map(({ taskId }) => ({ id: taskId })));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return { data: data.map((delivery) => as.parse(withOutcome(delivery, byId.get(delivery.taskId)))), next };
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
