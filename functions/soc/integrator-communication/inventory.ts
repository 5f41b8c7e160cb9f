import { acceptReport } from '#shared/ingest/accept.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { derivedId } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { InventoryItem } from '#shared/reports/readers/inventory-item.ts';
import { parseItem } from '#shared/scanning/leases/answers.ts';
import { integrators } from '#shared/soc/incidents/integrator.ts';
import { usable } from './batch.ts';
import type { InventoryBatch, InventoryBatchAnswer } from './routes.ts';

type Sender = Context & { machineId: string };

/** Hands the usable assets of a batch to the ingest, as a report. The task's id follows from the batch: sent again, it is one task. */
export async function takeInventory(
  { connections, table, machineId }: Sender,
  { batchId, source, mode, since, assets }: InventoryBatch,
): Promise<InventoryBatchAnswer> {
  const checked = assets.map((raw) => parseItem(InventoryItem, raw, 'value'));
  const results = checked.map((one, index) =>
    'item' in one
      ? { index, accepted: true }
      : { index, accepted: false, code: 'validation_failed', message: one.message },
  );
  const items = usable(checked);
  if (items.length === 0) return { taskId: null, acceptedAt: now(), results };
  const { zone } = await table.get(integrators, machineId);
  const taskId = derivedId(machineId, 'inventory', source, batchId);
  const isFull = mode === 'full' && items.length === assets.length;
  await acceptReport(
    { connections, table },
    {
      source: 'import',
      format: 'inventory',
      scanType: `${machineId}/${source}`,
      zone,
      inventory: { source: `integrator/${source}`, ...(isFull && { complete: since ?? 'now' }) },
      report: { content: JSON.stringify({ assets: items }) },
      taskId,
    },
  );
  const task = await table.rows(taskRows).find({ id: taskId }, true);
  return { taskId, acceptedAt: task?.createdAt ?? now(), results };
}
