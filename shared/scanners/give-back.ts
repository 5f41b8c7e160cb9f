import { settleQuietly } from '../engagements/settle.ts';
import { scannerTasks } from '../entities/scanner-task.ts';
import type { MachineLease } from '../machines/leases.ts';
import { giveBack } from '../scanner-tasks/moves.ts';
import { offerReturned } from '../scanner-tasks/offer-returned.ts';
import { inOrganization, type Table } from '../table/table.ts';
import type { Presence } from './presence.ts';
import { savePresence } from './session.ts';

/** Leases that end in one transaction. */
const AT_ONCE = 10;

type Ending = { isEnding: (lease: MachineLease) => boolean; error: { code: string; message: string } };

/**
 * Ends leases of a scanner: its tasks go back into their queues, or fail when their attempts are used up.
 * @returns the presence without them
 */
export async function giveBackLeases(table: Table, presence: Presence, { isEnding, error }: Ending): Promise<Presence> {
  const ending = Object.entries(presence.leases).filter(([, lease]) => isEnding(lease));
  const byOwner = Map.groupBy(ending, ([, { organizationId }]) => organizationId ?? table.organizationId);
  let before = presence;
  for (const [organizationId, leases] of byOwner) {
    const owner = inOrganization(table, organizationId);
    for (let n = 0; n < leases.length; n += AT_ONCE) {
      const ids = leases.slice(n, n + AT_ONCE).map(([taskId]) => taskId);
      before = await giveBackTasks(table, before, { owner, ids, error });
    }
  }
  return before;
}

async function giveBackTasks(
  table: Table,
  before: Presence,
  { owner, ids, error }: { owner: Table; ids: string[]; error: Ending['error'] },
): Promise<Presence> {
  const found = await Promise.all(ids.map((id) => owner.find(scannerTasks, id, true)));
  const held = found.flatMap((task) =>
    task?.status === 'running' && task.scanner?.id === before.scannerId ? [task] : [],
  );
  const batch = table.batch();
  const ended = giveBack({ table: owner, batch: batch.within(owner.scope) }, held, error);
  const leases = Object.fromEntries(Object.entries(before.leases).filter(([taskId]) => !ids.includes(taskId)));
  const after = await savePresence(table, { before, after: { ...before, leases }, batch });
  await offerReturned(owner, ended);
  const engagementIds = new Set(ended.filter(({ status }) => status !== 'pending').map((task) => task.engagementId));
  for (const id of engagementIds) await settleQuietly(owner, id);
  return after;
}
