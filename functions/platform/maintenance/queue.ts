import { queueMany } from '#shared/findings/bulk/queue.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { queueRebuild } from '#shared/platform/views/wake.ts';
import type { MAINTENANCE } from './work.ts';

type Wanted = { work: (typeof MAINTENANCE)[number]; repair: boolean };

/** Queues maintenance of one organization in the queue of the jobs that change the same rows. */
export function queueMaintenance(
  connections: Connections,
  table: Table,
  { work, repair }: Wanted,
): Promise<QueuedResponse> {
  if (work === 'respell') return queueMany(connections, table, { operation: 'respell_repositories', input: {} });
  if (work === 'restored')
    return queueMany(connections, table, { operation: 'maintenance_restored', unit: 'records', input: {} });
  if (work === 'views') return queueRebuild(connections, table);
  return queueTask(connections, table, {
    operation: `maintenance_${work}`,
    job: 'maintenance',
    unit: 'collections',
    input: { work, repair },
    // The work of one organization runs in order: two repairs at once would report each other's changes.
    send: { group: table.organizationId },
  });
}
