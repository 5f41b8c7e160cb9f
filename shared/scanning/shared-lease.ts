import type { ScannerTask } from '../entities/scanner-task.ts';
import { openTable, type Table } from '../table/table.ts';
import { sharedLeases } from './pools.ts';
import { presences } from './presence.ts';

/**
 * The organization of a task that a scanner holds or held: its own, or that of the lease which it was given as a shared
 * scanner. By what is stored, never by what the request says.
 */
export async function ownerOf(table: Table, scannerId: string, taskId: string): Promise<Table> {
  const presence = await table.rows(presences).find({ scannerId }, true);
  const held = presence?.leases[taskId]?.organizationId;
  // one that worked for pools once may still have to be told what became of its tasks
  const isKnown = held !== undefined || (presence !== undefined && presence.leases[taskId] !== undefined);
  const lease = isKnown ? undefined : await table.rows(sharedLeases).find({ scannerId, taskId });
  return inOrganization(table, held ?? lease?.organizationId);
}

/** The table of another organization, for the same actor. */
export const inOrganization = (table: Table, organizationId: string | null | undefined): Table =>
  !organizationId || organizationId === table.organizationId
    ? table
    : openTable(table.dynamo, organizationId, table.actor);

/** Where the presence of a task's scanner lies. */
export const holderOf = (table: Table, { providerId }: Pick<ScannerTask, 'providerId'>): Table =>
  inOrganization(table, providerId);
