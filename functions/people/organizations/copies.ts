import { organizations } from '#shared/credentials/organization.ts';
import { queueOrganizationWork } from '#shared/organizations/work.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';

/** Queues the copy of an organization. @throws not_found */
export async function queueCopy(context: Context, organizationId: string): Promise<QueuedResponse> {
  const { id } = await openTable(context.table.dynamo, GLOBAL_SCOPE).get(organizations, organizationId, true);
  return queueOrganizationWork(context, { work: 'copy', organizationId: id });
}
