import { publicUsageOf } from '#shared/apex/public.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import { STAFF_ROLES } from '#shared/platform/auth/permissions.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { openPools, poolRows } from '#shared/scanning/scanner-tasks/pools.ts';
import { usages } from '#shared/scanning/scanner-tasks/usage.ts';

type OrganizationWork = {
  work: 'copy' | 'restore';
  organizationId: string;
  copyId?: string;
  /** The account that requested a restoration; its task is of the account that approved. */
  requestedBy?: { id: string; name: string };
};

/** Queues work on everything of an organization, as a task of the requesting staff. */
export function queueOrganizationWork(context: Context, input: OrganizationWork): Promise<QueuedResponse> {
  const operation = `${input.work}_organization` as const;
  const send = { group: input.organizationId };
  const resource = { type: 'organization', id: input.organizationId };
  return queueTask(context, { operation, job: 'maintenance', unit: 'rows and objects', input, send, resource });
}

/** @throws conflict for the provider's own organization, and while shared machines work for this one */
export async function assertMayBeEmptied(table: Table, organizationId: string): Promise<void> {
  const theirs = inOrganization(table, organizationId);
  await assertNoProvider(table, theirs);
  await assertNoSharedWork(theirs);
}

/** Clients depend on the provider's people and machines. @throws conflict */
export async function assertNoProvider(table: Table, theirs: Table): Promise<void> {
  const staff = await Promise.all(
    STAFF_ROLES.map((role) => theirs.list(serviceAccounts, { filter: { role }, paginateFrom: 0, paginateSize: 1 })),
  );
  const pools = await poolsOf(theirs);
  const isProvider =
    staff.some(({ totalCount }) => totalCount > 0) ||
    pools.some(({ providerId }) => providerId === theirs.organizationId);
  if (isProvider || table.organizationId === theirs.organizationId)
    throw conflict(
      'This is an organization of the provider, with staff or shared scanners: it can be neither deleted nor restored.',
    );
}

const poolsOf = ({ dynamo }: Table) => openPools(dynamo).rows(poolRows).query('all', { consistent: true });

/** A shared machine must not return with results for a deleted organization: its places would never be free again. */
async function assertNoSharedWork(theirs: Table): Promise<void> {
  const running = await sharedWork(theirs);
  if (running > 0)
    throw conflict(
      `Shared machines work on ${running} tasks of the organization: cancel these tasks, or wait for their end.`,
    );
}

/** The number of the organization's tasks on which shared machines work. */
export async function sharedWork(theirs: Table): Promise<number> {
  const keys = (await poolsOf(theirs)).map(({ poolId }) => ({ groupId: poolId, owner: theirs.organizationId }));
  const inPools = await openPools(theirs.dynamo).rows(usages).findMany(keys, true);
  return inPools.reduce((sum, usage) => sum + usage.running, await publicUsageOf(theirs));
}
