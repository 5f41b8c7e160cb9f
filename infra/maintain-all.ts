import { queueMaintenance } from '#functions/people/organizations/queue.ts';
import { organizations } from '#shared/credentials/organization.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';

const PAGE_SIZE = 500;

/** Queues maintenance for every organization of a stack. */
export async function maintainAll(
  connections: Connections,
  wanted: Parameters<typeof queueMaintenance>[1],
  tell: (line: string) => void,
): Promise<void> {
  for (let from = 0, total = 1; from < total; from += PAGE_SIZE) {
    const page = await openTable(connections.dynamo, GLOBAL_SCOPE).list(organizations, {
      paginateFrom: from,
      paginateSize: PAGE_SIZE,
    });
    total = page.totalCount;
    for (const { id, name } of page.data) {
      const { taskId } = await queueMaintenance({ connections, table: openTable(connections.dynamo, id) }, wanted);
      tell(`${id}  task ${taskId}  ${name}`);
    }
  }
}
