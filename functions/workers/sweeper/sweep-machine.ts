import type { KeyedPresence } from '#shared/machines/keyed.ts';
import type { MachineRecord, Machines } from '#shared/machines/machine.ts';
import { isSilent } from '#shared/machines/presence.ts';
import { savePresenceOf } from '#shared/machines/session.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { retry } from '#shared/runtime/retry.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import type { Timer } from '#shared/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';

/**
 * A machine that is silent is noted as offline; the next timer is set.
 * @param onLost what else is done for it, before it is noted
 * @returns whether one that is enabled went offline
 */
export async function sweepMachine<T extends MachineRecord, P extends KeyedPresence>(
  { dynamo }: Connections,
  timer: Timer,
  { machines, onLost }: { machines: Machines<T, P>; onLost?: (table: Table, presence: P) => Promise<void> },
): Promise<boolean> {
  const table = openTable(dynamo, timer.organizationId);
  return retry(async () => {
    const before = await table.rows(machines.rows).find({ machineId: timer.id }, true);
    if (before?.timerAt !== timer.at) {
      await dropTimer(dynamo, timer);
      return false;
    }
    const isLost = before.online && isSilent(before);
    if (isLost) await onLost?.(table, before);
    const machine = isLost ? await table.find(machines.entity, timer.id, true) : undefined;
    const batch = table.batch();
    if (machine) batch.update(machines.entity, machine, table.changed<T, never>(machine, lost(machine, before)));
    await savePresenceOf(machines, table, { before, after: { ...before, online: before.online && !isLost }, batch });
    return machine?.enabled ?? false;
  });
}

const lost = <T extends MachineRecord>({ enabled }: T, { lastSeenAt }: KeyedPresence): Partial<T> => {
  const changes: Partial<MachineRecord> = {
    status: enabled ? 'offline' : 'disabled',
    lastSeenAt: new Date(lastSeenAt).toISOString(),
  };
  return changes as Partial<T>;
};
