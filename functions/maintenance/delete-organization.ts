import { organizations } from '#shared/entities/organization.ts';
import type { QueuedResponse } from '#shared/jobs/task.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { invalid } from '#shared/runtime/errors.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { assertMayBeEmptied, queueOrganizationWork } from './organization-work.ts';

/**
 * Queues the deletion of an organization.
 * @throws not_found, validation_failed for another name, conflict for the provider's own and while shared machines work for it
 */
export async function queueDeletion(
  connections: Connections,
  table: Table,
  { organizationId, name }: { organizationId: string; name: string },
): Promise<QueuedResponse> {
  const organization = await openTable(table.dynamo, GLOBAL_SCOPE).get(organizations, organizationId, true);
  if (organization.name !== name) throw invalid('name', "must be the organization's name, letter by letter");
  await assertMayBeEmptied(table, organization.id);
  return queueOrganizationWork(connections, table, { work: 'delete', organizationId: organization.id });
}
