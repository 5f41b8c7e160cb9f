import { publicUsageOf } from '#shared/apex/public.ts';
import { openPools, poolRows } from '#shared/dispatch/pools.ts';
import { usages } from '#shared/dispatch/usage.ts';
import { organizations } from '#shared/entities/organization.ts';
import { serviceAccounts } from '#shared/entities/service-account.ts';
import { queueTask } from '#shared/jobs/outbox.ts';
import type { QueuedResponse } from '#shared/jobs/task.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { conflict, invalid } from '#shared/runtime/errors.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { inOrganization, openTable, type Table } from '#shared/table/table.ts';

/**
 * Queues the deletion of an organization, as a task of the staff who ask for it.
 * @throws not_found, validation_failed for another name, conflict for the provider's own and while shared machines work for it
 */
export async function queueDeletion(
  connections: Connections,
  table: Table,
  { organizationId, name }: { organizationId: string; name: string },
): Promise<QueuedResponse> {
  const organization = await openTable(table.dynamo, GLOBAL_SCOPE).get(organizations, organizationId, true);
  if (organization.name !== name) throw invalid('name', "must be the organization's name, letter by letter");
  const theirs = inOrganization(table, organization.id);
  await assertNoProvider(table, theirs);
  await assertNoSharedWork(theirs);
  return queueTask(connections, table, {
    operation: 'delete_organization',
    job: 'maintenance',
    unit: 'rows and objects',
    input: { work: 'delete', organizationId: organization.id },
    send: { group: organization.id },
  });
}

/** Clients depend on the provider's people and machines. */
export async function assertNoProvider(table: Table, theirs: Table): Promise<void> {
  const { totalCount } = await theirs.list(serviceAccounts, {
    filter: { role: 'staff' },
    paginateFrom: 0,
    paginateSize: 1,
  });
  const pools = await poolsOf(theirs);
  const isProvider = totalCount > 0 || pools.some(({ providerId }) => providerId === theirs.organizationId);
  if (isProvider || table.organizationId === theirs.organizationId)
    throw conflict(
      'This is an organization of the provider: it has staff or shared scanners, and is neither deleted nor restored.',
    );
}

const poolsOf = ({ dynamo }: Table) => openPools(dynamo).rows(poolRows).query('all', { consistent: true });

/** A shared machine must not come back with results for an organization that is gone: its places would stay taken. */
export async function assertNoSharedWork(theirs: Table): Promise<void> {
  const keys = (await poolsOf(theirs)).map(({ poolId }) => ({ groupId: poolId, owner: theirs.organizationId }));
  const inPools = await openPools(theirs.dynamo).rows(usages).findMany(keys, true);
  const running = inPools.reduce((sum, usage) => sum + usage.running, await publicUsageOf(theirs));
  if (running > 0)
    throw conflict(
      `Shared machines work on ${running} tasks of the organization: cancel them, or wait until they have ended.`,
    );
}
