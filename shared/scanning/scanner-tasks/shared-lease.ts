import { inSeconds } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { type SharedLease, sharedLeases } from './pools.ts';

/** For so long a machine may ask about another organization's task. */
const REMEMBERED_SECONDS = 30 * 86_400;

/** The writes that note the organization of tasks which a machine gets from another organization. */
export function sharedLeaseWrites(table: Table, machineId: string, given: { owner: Table; ids: string[] }): Write[] {
  const { organizationId } = given.owner;
  if (organizationId === table.organizationId) return [];
  const expiresAt = inSeconds(REMEMBERED_SECONDS);
  return given.ids.map((taskId) =>
    putWrite(table.tenant, sharedLeases, { row: { machineId, taskId, organizationId, expiresAt } }),
  );
}

type LeaseKey = Pick<SharedLease, 'machineId' | 'taskId'>;

/**
 * The organization of a task that a machine holds (`lease`) or held: the machine's own, or the one in its shared lease.
 * Stored rows decide this, never the request.
 */
export async function ownerByLease(table: Table, whose: LeaseKey, lease?: { organizationId?: string }): Promise<Table> {
  // a machine that left its pool may still ask about its tasks there
  const known = lease ?? (await table.rows(sharedLeases).find(whose));
  return inOrganization(table, known?.organizationId);
}

/** The organization that has the presence of a task's machine. */
export const holderOf = (table: Table, { providerId }: { providerId?: string | null }): Table =>
  inOrganization(table, providerId);
