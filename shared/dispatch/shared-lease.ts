import { inSeconds } from '../runtime/clock.ts';
import type { Write } from '../table/io/commit.ts';
import { putWrite } from '../table/io/row.ts';
import { inOrganization, type Table } from '../table/table.ts';
import { type SharedLease, sharedLeases } from './pools.ts';

/** A machine may ask what became of another organization's task for as long as tasks are remembered. */
const REMEMBERED_SECONDS = 30 * 86_400;

/** Notes whose tasks a machine was given, where they are not its own organization's. */
export function rememberWrites(table: Table, machineId: string, given: { owner: Table; ids: string[] }): Write[] {
  const { organizationId } = given.owner;
  if (organizationId === table.organizationId) return [];
  const expiresAt = inSeconds(REMEMBERED_SECONDS);
  return given.ids.map((taskId) =>
    putWrite(table.scope, sharedLeases, { row: { machineId, taskId, organizationId, expiresAt } }),
  );
}

type Whose = Pick<SharedLease, 'machineId' | 'taskId'>;

/**
 * The organization of a task that a machine holds (`lease`) or held: its own, or that of the lease which it was given as
 * a shared one. By what is stored, never by what the request says.
 */
export async function ownerByLease(table: Table, whose: Whose, lease?: { organizationId?: string }): Promise<Table> {
  // one that was shared once may still have to be told what became of its tasks
  const known = lease ?? (await table.rows(sharedLeases).find(whose));
  return inOrganization(table, known?.organizationId);
}

/** Where the presence of a task's machine lies. */
export const holderOf = (table: Table, { providerId }: { providerId?: string | null }): Table =>
  inOrganization(table, providerId);
