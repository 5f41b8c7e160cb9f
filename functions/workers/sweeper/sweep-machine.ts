import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { endLeases } from '#shared/scanning/leases/give-back.ts';
import type { LeaseRules, LeaseTypes } from '#shared/scanning/leases/rules.ts';
import type { MachineRecord, Machines } from '#shared/scanning/machines/machines.ts';
import { isSilent, type MachinePresence } from '#shared/scanning/machines/presence.ts';
import { savePresence } from '#shared/scanning/machines/save-presence.ts';
import type { Due } from './due.ts';

type Sweep<T extends MachineRecord, P extends MachinePresence> = {
  machines: Machines<T, P>;
  /** Ends what has run out before the silence is noted. @returns the presence after it */
  end: (table: Table, presence: P) => Promise<P>;
};

/**
 * Notes a silent machine as offline and sets the next timer: the presence is written for that also without news.
 * @returns whether a machine that is enabled went offline
 */
export async function sweepMachine<T extends MachineRecord, P extends MachinePresence>(
  { table, timer, drop }: Due,
  { machines, end }: Sweep<T, P>,
): Promise<boolean> {
  return retry(async () => {
    const presence = await table.rows(machines.rows).find({ machineId: timer.id }, true);
    if (presence?.timerAt !== timer.at) {
      await drop();
      return false;
    }
    const before = await end(table, presence);
    const isLost = before.online && isSilent(before);
    const machine = isLost ? await table.find(machines.entity, timer.id, true) : undefined;
    const batch = table.batch();
    if (machine) batch.update(machines.entity, machine, table.changed<T, never>(machine, lost(machine, before)));
    await savePresence(machines, table, { before, after: { ...before, online: before.online && !isLost }, batch });
    return machine?.enabled ?? false;
  });
}

const lost = <T extends MachineRecord>({ enabled }: T, { lastSeenAt }: MachinePresence): Partial<T> => {
  const changes: Partial<MachineRecord> = {
    status: enabled ? 'offline' : 'disabled',
    lastSeenAt: new Date(lastSeenAt).toISOString(),
  };
  return changes as Partial<T>;
};

/** The same for a machine that may hold leases: those that ended return to their queues. */
export const sweepHolder = <K extends LeaseTypes>(due: Due, rules: LeaseRules<K>): Promise<boolean> =>
  sweepMachine(due, { machines: rules.machines, end: (table, presence) => endLeases(rules, table, presence) });
