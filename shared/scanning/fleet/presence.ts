import type { TaskType } from '#shared/assets/targets/scan-target.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import { type LeasePresence, nextTimer } from '../leases/lease.ts';
import type { Machines } from '../machines/machines.ts';
import { firstPresence } from '../machines/presence.ts';
import { type MachineKey, presenceKey } from '../machines/presence-rows.ts';
import { type Scanner, scanners } from '../scanners/scanner.ts';

/** Everything about a scanner that a poll reads, in one row. */
export type ScannerPresence = LeasePresence & {
  zone: string | null;
  groupIds: string[];
  /** The shared pools that it works for; it then takes no other tasks. */
  publicGroupIds?: string[];
  /** The types of task that it is given: those that it can do, narrowed by its settings. */
  taskTypes: TaskType[];
  /** The types and the version that it reported, to notice changes. */
  supported: TaskType[];
  softwareVersion: string | null;
  /** The status of that version at the last check of the deployment's versions. */
  versionStatus: Scanner['versionStatus'];
};

export const scannerPresences = defineRow<ScannerPresence, MachineKey>({
  name: 'scanner-presence',
  about: 'a scanner: what it may do, when it was last seen, the leases that it holds',
  key: presenceKey,
});

const profileOf = (scanner: Scanner) => ({
  name: scanner.name,
  zone: scanner.zone,
  groupIds: scanner.groupIds,
  publicGroupIds: scanner.publicGroupIds,
  taskTypes: scanner.taskTypes.filter((type) => scanner.supportedTaskTypes.includes(type)),
  supported: scanner.supportedTaskTypes,
  softwareVersion: scanner.softwareVersion,
  versionStatus: scanner.versionStatus,
  enabled: scanner.enabled,
  capacity: scanner.capacity,
  maintenanceUntil: scanner.maintenanceUntil,
});

export const scannerMachines: Machines<Scanner, ScannerPresence> = {
  kind: 'scanner',
  entity: scanners,
  rows: scannerPresences,
  nextTimer,
  profileOf,
  newPresence: (scanner) => ({ ...firstPresence(scanner), ...profileOf(scanner), leases: {} }),
  liveFields: (presence) => ({ runningTasks: Object.keys(presence?.leases ?? {}).length }),
};
