import { queueMany } from '#shared/findings/bulk/queue.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { queueRebuild } from '#shared/platform/views/wake.ts';
import type { MAINTENANCE } from './work.ts';

type Wanted = { work: (typeof MAINTENANCE)[number]; repair: boolean };

/** Queues maintenance of one organization in the queue of the jobs that change the same rows. */
export function queueMaintenance(context: Context, { work, repair }: Wanted): Promise<QueuedResponse> {
  if (work === 'restored') return queueMany(context, { operation: 'maintenance_restored', unit: 'records', input: {} });
  if (work === 'views') return queueRebuild(context);
  return queueTask(context, {
    operation: `maintenance_${work}`,
    job: 'maintenance',
    unit: 'collections',
    input: { work, repair },
    // The work of one organization runs in order: two repairs at once would report each other's changes.
    send: { group: context.table.organizationId },
  });
}
