import { publicUsageOf } from '#shared/apex/public.ts';
import { openPools, poolRows } from '#shared/dispatch/pools.ts';
import { usages } from '#shared/dispatch/usage.ts';
import { serviceAccounts } from '#shared/entities/service-account.ts';
import { queueTask } from '#shared/jobs/outbox.ts';
import type { QueuedResponse } from '#shared/jobs/task.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { conflict } from '#shared/runtime/errors.ts';
import { inOrganization, type Table } from '#shared/table/table.ts';

type OrganizationWork = { work: 'delete' | 'copy' | 'restore'; organizationId: string; copyId?: string };

/** Queues work on everything that an organization has, as a task of the staff who ask for it. */
export function queueOrganizationWork(
  connections: Connections,
  table: Table,
  input: OrganizationWork,
): Promise<QueuedResponse> {
  const operation = `${input.work}_organization` as const;
  const send = { group: input.organizationId };
  return queueTask(connections, table, { operation, job: 'maintenance', unit: 'rows and objects', input, send });
}

/** @throws conflict for the provider's own organization, and while shared machines work for this one */
export async function assertMayBeEmptied(table: Table, organizationId: string): Promise<void> {
  const theirs = inOrganization(table, organizationId);
  await assertNoProvider(table, theirs);
  await assertNoSharedWork(theirs);
}

/** Clients depend on the provider's people and machines. */
async function assertNoProvider(table: Table, theirs: Table): Promise<void> {
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
async function assertNoSharedWork(theirs: Table): Promise<void> {
  const keys = (await poolsOf(theirs)).map(({ poolId }) => ({ groupId: poolId, owner: theirs.organizationId }));
  const inPools = await openPools(theirs.dynamo).rows(usages).findMany(keys, true);
  const running = inPools.reduce((sum, usage) => sum + usage.running, await publicUsageOf(theirs));
  if (running > 0)
    throw conflict(
      `Shared machines work on ${running} tasks of the organization: cancel them, or wait until they have ended.`,
    );
}
