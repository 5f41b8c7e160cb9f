import { nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Machines, noteOnline, readMachinePresence } from '#shared/scanning/machines/machines.ts';
import { firstPresence, isHeartbeatDue, type MachinePresence, nextLook } from '#shared/scanning/machines/presence.ts';
import { type MachineKey, presenceKey } from '#shared/scanning/machines/presence-rows.ts';
import { savePresence } from '#shared/scanning/machines/save-presence.ts';
import { type Collector, collectors } from './collector.ts';

type CollectorPresence = MachinePresence & Pick<Collector, 'name' | 'enabled' | 'softwareVersion'>;

export const collectorPresences = defineRow<CollectorPresence, MachineKey>({
  name: 'collector-presence',
  about: 'a collector: when it was last seen',
  key: presenceKey,
});

const profileOf = ({ name, enabled, softwareVersion }: Collector) => ({ name, enabled, softwareVersion });

export const collectorMachines: Machines<Collector, CollectorPresence> = {
  kind: 'collector',
  entity: collectors,
  rows: collectorPresences,
  nextTimer: (presence) => nextLook(presence),
  profileOf,
  newPresence: (collector) => ({ ...firstPresence(collector), ...profileOf(collector) }),
};

/** The interval of status reports from a collector with nothing to send. */
export const STATUS_SECONDS = 60;

type Says = { version?: string | null | undefined; hostname?: string | null | undefined };

/** Notes that a collector called, at most once a minute. @throws unauthorized when it was removed */
export const noteCollector = (table: Table, machineId: string, { version, hostname }: Says = {}): Promise<void> =>
  retry(async (attempt) => {
    const copy = attempt > 1 ? undefined : await table.rows(collectorPresences).find({ machineId });
    const before = copy ?? (await readMachinePresence(collectorMachines, table, machineId));
    if (!before) throw new ApiError('unauthorized', 'This collector was removed. Link it again.');
    const isNews = version != null && version !== before.softwareVersion;
    const isUnchanged = before.online && !before.stale && !isNews;
    if (isUnchanged && !isHeartbeatDue(before)) return;
    const batch = table.batch();
    const fieldsOf = (current: Collector) => ({
      softwareVersion: version ?? current.softwareVersion,
      hostname: hostname ?? current.hostname,
    });
    const noted = isUnchanged ? before : await noteOnline(collectorMachines, { table, batch }, { before, fieldsOf });
    const after = { ...noted, online: true, lastSeenAt: nowMs(), toldSeconds: STATUS_SECONDS };
    await savePresence(collectorMachines, table, { before, after, batch });
  });
