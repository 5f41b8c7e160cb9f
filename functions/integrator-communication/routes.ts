import * as z from 'zod';
import { Id, Timestamp } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { InventoryItem } from '#shared/reports/inventory-item.ts';

/** Most assets of a batch. */
const MAX_ITEMS = 5_000;

const source = z.string().trim().min(1).max(60);

/** A batch of an inventory. Each asset is checked by itself. */
const InventoryBatch = z
  .object({
    batchId: z.string().min(1).max(120).meta({ description: 'of your choice; a batch that is sent again counts once' }),
    source: source.meta({ description: 'the system that keeps the inventory, the same each time', example: 'cmdb' }),
    mode: z.enum(['full', 'partial']).default('partial').meta({
      description:
        '`full`: the source has these assets and, with `since`, those that it sent since then, and no others',
    }),
    since: Timestamp.optional().meta({
      description: 'on the last of several batches of a full inventory: `acceptedAt` of the answer to the first',
    }),
    assets: z.array(z.unknown()).min(1).max(MAX_ITEMS),
  })
  .meta({ id: 'InventoryBatch' });

const InventoryBatchAnswer = z
  .object({
    taskId: Id.nullable().meta({ description: 'the task that reads the batch; null: no asset was accepted' }),
    acceptedAt: Timestamp,
    results: z.array(
      z.object({
        index: z.int().nonnegative(),
        accepted: z.boolean(),
        code: z.string().optional(),
        message: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'InventoryBatchAnswer' });
export type InventoryBatchAnswer = z.infer<typeof InventoryBatchAnswer>;
export type InventoryBatch = z.infer<typeof InventoryBatch>;

export const integratorCommunicationRoutes = defineRoutes({
  sendInventory: {
    method: 'POST',
    path: '/api/v1/integrator_communication/inventory',
    summary: 'Send assets of a fleet or a cloud, with their services and software',
    description:
      'Each of `assets` (`InventoryItem`, docs/inventory.md) is answered by itself: one that is refused loses none of the others. What the ' +
      'source says of an asset replaces what it said before; absent fields stay. After a full inventory the source says nothing more ' +
      'of assets that it does not name: they lose its services and software, and are stale after 30 days unless another source sees them. A full ' +
      'inventory with a refused asset takes nothing away. A batch is a task, worked after earlier ones.',
    access: { machines: ['integrator'], enabled: true },
    body: InventoryBatch,
    example: {
      batchId: 'b-1',
      source: 'cmdb',
      assets: [InventoryItem.parse({ type: 'host', value: 'web-01.example.com' })],
    },
    lenient: true,
    response: InventoryBatchAnswer,
  },
});
