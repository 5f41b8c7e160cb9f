import { forgetCredential, removeCredential } from '#shared/platform/auth/credential.ts';
import type { Deletion } from '#shared/platform/http/records.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { batchOfMany } from '#shared/platform/table/many.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { deleteMachine, readMachinePresence } from '../machines/machines.ts';
import { PresenceMoved, savePresence } from '../machines/save-presence.ts';
import { type Lease, withoutLeases } from './lease.ts';
import { type Failure, isHeldBy, type LeaseRules, type LeaseTypes } from './rules.ts';

type LeaseEnd = { isEnding: (lease: Lease) => boolean; error: Failure };

/**
 * Ends leases of a machine: its tasks wait again, or fail when their attempts are used up. Settles the tasks of each
 * organization separately.
 * @returns the presence without these leases
 * @throws PresenceMoved
 */
async function giveBackLeases<K extends LeaseTypes>(
  rules: LeaseRules<K>,
  table: Table,
  { presence, isEnding, error }: { presence: K['presence'] } & LeaseEnd,
): Promise<K['presence']> {
  const ending = Object.entries(presence.leases).filter(([, lease]) => isEnding(lease));
  const byOwner = Map.groupBy(ending, ([, { organizationId }]) => organizationId);
  let before = presence;
  for (const [organizationId, leases] of byOwner) {
    const owner = inOrganization(table, organizationId);
    for (let ids = leases.map(([taskId]) => taskId); ids.length > 0; ) {
      const { after, count } = await giveBackTasks(rules, table, { before, owner, ids, error });
      before = after;
      ids = ids.slice(count);
    }
  }
  return before;
}

type Return<K extends LeaseTypes> = { before: K['presence']; owner: Table; ids: string[]; error: Failure };

/** Returns as many of the tasks as fit a transaction. */
async function giveBackTasks<K extends LeaseTypes>(
  rules: LeaseRules<K>,
  table: Table,
  { before, owner, ids, error }: Return<K>,
): Promise<{ after: K['presence']; count: number }> {
  let returned: K['task'][] = [];
  const { batch, some } = await batchOfMany(table.batch, ids, async (batch, some) => {
    const found = await Promise.all(some.map((id) => owner.find(rules.tasks, id, true)));
    const held = found.filter((task) => isHeldBy(rules, task, before.machineId));
    returned = await rules.giveBack({ table: owner, batch: batch.within(owner.tenant) }, held, { error });
  });
  const after = await savePresence(rules.machines, table, { before, after: withoutLeases(before, some), batch });
  await rules.settle(owner, returned);
  return { after, count: some.length };
}

/** Ends the leases that were not renewed in time. */
export const endLeases = <K extends LeaseTypes>(
  rules: LeaseRules<K>,
  table: Table,
  presence: K['presence'],
): Promise<K['presence']> => {
  const error = { code: 'lease_expired', message: `Its ${rules.machineName} did not renew the lease in time.` };
  return giveBackLeases(rules, table, { presence, isEnding: ({ until }) => until <= nowMs(), error });
};

/**
 * Removes a machine that may hold tasks. Its credential goes first, so that it takes nothing more; then its tasks
 * return; then the record goes, with a credential that came from linking again meanwhile.
 * @throws not_found
 */
export async function deleteHolder<K extends LeaseTypes>(
  rules: LeaseRules<K>,
  table: Table,
  id: string,
): Promise<Deletion> {
  const { machines, machineName } = rules;
  await table.get(machines.entity, id);
  const credential = { organizationId: table.organizationId, id };
  const revocation = table.batch();
  revocation.write(removeCredential(credential));
  await revocation.commit();
  forgetCredential(table.dynamo, credential);
  const error = { code: `${machineName}_removed`, message: `Its ${machineName} was removed while the task ran.` };
  const giveBackAll = async () => {
    const presence = await readMachinePresence(machines, table, id);
    if (!presence || Object.keys(presence.leases).length === 0) return;
    await giveBackLeases(rules, table, { presence, isEnding: () => true, error });
    // the presence has changed: read the rows again before their deletion
    throw new PresenceMoved();
  };
  return deleteMachine(machines, table, { id, also: giveBackAll });
}
