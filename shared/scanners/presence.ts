import type { Scanner, TaskType } from '../entities/scanner.ts';
import { presenceKey } from '../machines/keyed.ts';
import type { MachineLease } from '../machines/leases.ts';
import type { MachinePresence } from '../machines/presence.ts';
import { defineRow } from '../table/io/row.ts';

/**
 * All that a poll needs to know of its scanner, in one row: what it may do (copied from its record), when it was last
 * seen, and what it holds. One write renews every lease of a scanner at once.
 */
export type Presence = MachinePresence & {
  scannerId: string;
  name: string;
  zone: string | null;
  groupIds: string[];
  /** The shared pools that it works for; it then takes nothing else. */
  publicGroupIds?: string[];
  /** What it is given: what it can do, narrowed by its settings. */
  taskTypes: TaskType[];
  /** What it said it can do, and the version it gave, to notice when it changes. */
  supported: TaskType[];
  softwareVersion: string | null;
  /** What that version was worth when it was last looked at. */
  versionStatus: Scanner['versionStatus'];
  enabled: boolean;
  capacity: number | null;
  maintenanceUntil: string | null;
  /** The copies above are older than the record: the next poll renews them. */
  stale: boolean;
  leases: Record<string, MachineLease>;
};

export const presences = defineRow<Presence, { scannerId: string } | { ordinal: number }>({
  name: 'presence',
  about: 'a scanner: what it may do, when it was last seen, the leases that it holds',
  key: (parts) => presenceKey('ordinal' in parts ? parts : { machineId: parts.scannerId }),
});

/** The part of the presence that follows from the scanner's record. */
export const profileOf = (scanner: Scanner) => ({
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

export const newPresence = (scanner: Scanner): Presence => ({
  scannerId: scanner.id,
  rev: 0,
  stale: false,
  ...profileOf(scanner),
  online: scanner.status === 'online',
  lastSeenAt: 0,
  toldSeconds: 0,
  timerAt: 0,
  leases: {},
});
