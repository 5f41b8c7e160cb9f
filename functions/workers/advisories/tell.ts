import { type FeedState, feedRows } from '#shared/advisories/feeds.ts';
import { organizations } from '#shared/entities/organization.ts';
import { newManyTask } from '#shared/findings/many/queue.ts';
import { queueNewTask } from '#shared/jobs/outbox.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { systemActor } from '#shared/table/actor.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { openTable } from '#shared/table/table.ts';

const PAGE = 100;

/**
 * Queues a task for each organization that rates its findings anew. A run that stops goes on where it was; an organization
 * that is told twice has nothing left to change.
 */
export async function tellOrganizations(connections: Connections, { feed, telling }: FeedState): Promise<void> {
  if (!telling) return;
  const table = openTable(connections.dynamo, GLOBAL_SCOPE);
  const { file } = telling;
  for (let { from } = telling; ; ) {
    const page = await table.list(organizations, { paginateFrom: from, paginateSize: PAGE });
    for (const { id } of page.data) await queueRescoring(connections, id, file);
    from += PAGE;
    const isDone = from >= page.totalCount;
    await table.rows(feedRows).set({ feed }, { telling: isDone ? undefined : { file, from } });
    if (isDone) return;
  }
}

async function queueRescoring(connections: Connections, organizationId: string, moved: string): Promise<void> {
  const table = openTable(connections.dynamo, organizationId, systemActor);
  await queueNewTask(connections, table, newManyTask(table, { operation: 'rescore_findings', input: { moved } }));
}
