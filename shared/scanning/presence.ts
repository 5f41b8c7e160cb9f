import { nowMs } from '../clock.ts';
import type { Scanner, TaskType } from '../entities/scanner.ts';
import { defineRow } from '../table/row.ts';

/** A lease that a scanner holds. Times are milliseconds: this row is rewritten every minute and paid by the byte. */
export type Lease = { attempt: number; until: number; deadline: number; progress: number; cancel?: string };

/**
 * All that a poll needs to know of its scanner, in one row: what it may do (copied from its record), when it was last
 * seen, and what it holds. One write renews every lease of a scanner at once.
 */
export type Presence = {
  scannerId: string;
  /** Every write is conditional on it. */
  rev: number;
  name: string;
  zone: string | null;
  groupIds: string[];
  /** What it is given: what it can do, narrowed by its settings. */
  taskTypes: TaskType[];
  /** What it said it can do, and the version it gave, to notice when it changes. */
  supported: TaskType[];
  softwareVersion: string | null;
  enabled: boolean;
  capacity: number | null;
  maintenanceUntil: string | null;
  /** The copies above are older than the record: the next poll renews them. */
  stale: boolean;
  /** What its record and the counters say. */
  online: boolean;
  lastSeenAt: number;
  /** The interval that it was told with its last recorded poll. */
  toldSeconds: number;
  /** When the sweeper looks at it; 0 when it need not. */
  alarmAt: number;
  leases: Record<string, Lease>;
};

export const presences = defineRow<Presence, Pick<Presence, 'scannerId'>>({
  name: 'presence',
  key: ({ scannerId }) => [scannerId],
});

/** The part of the presence that follows from the scanner's record. */
export const profileOf = (scanner: Scanner) => ({
  name: scanner.name,
  zone: scanner.zone,
  groupIds: scanner.groupIds,
  taskTypes: scanner.taskTypes.filter((type) => scanner.supportedTaskTypes.includes(type)),
  supported: scanner.supportedTaskTypes,
  softwareVersion: scanner.softwareVersion,
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
  alarmAt: 0,
  leases: {},
});

/** A lease not renewed for this long ends, and its task is handed out again. */
export const LEASE_SECONDS = 900;
/** A task may be renewed for a day at most. */
export const MAX_TASK_SECONDS = 86_400;
/** A heartbeat is recorded at most once in this time. */
export const HEARTBEAT_SECONDS = 60;
/** How far ahead of need the sweeper's alarm is set, so that a scanner that is fine moves it only now and then. */
const ALARM_SLACK_SECONDS = 180;

/** Two polls may fail, and one heartbeat may have gone unrecorded, before a scanner counts as silent. */
export const offlineAfterSeconds = (toldSeconds: number): number => 2 * toldSeconds + HEARTBEAT_SECONDS + 30;

export const silentAt = ({ lastSeenAt, toldSeconds }: Presence): number =>
  lastSeenAt + offlineAfterSeconds(toldSeconds) * 1000;

export const isSilent = (presence: Presence): boolean => silentAt(presence) <= nowMs();

/** The status as it is now; the record and its counters follow when the sweeper passes. */
export function statusNow(
  scanner: Pick<Scanner, 'status' | 'enabled'>,
  presence: Presence | undefined,
): Scanner['status'] {
  if (!scanner.enabled) return 'disabled';
  if (!presence || presence.lastSeenAt === 0) return 'never_connected';
  return isSilent(presence) ? 'offline' : 'online';
}

/**
 * When the sweeper must look at a scanner. A scanner that is fine moves its own alarm ahead before it goes off, so the
 * sweeper sees only those that are not.
 */
export function nextAlarm(presence: Presence): number {
  const soonest = Math.min(...Object.values(presence.leases).map(({ until }) => until));
  const silent = presence.online ? silentAt(presence) : Number.POSITIVE_INFINITY;
  if (Math.min(soonest, silent) === Number.POSITIVE_INFINITY) return 0;
  const standing = presence.alarmAt;
  if (standing !== 0 && standing <= soonest && standing >= silent && silent !== Number.POSITIVE_INFINITY)
    return standing;
  return Math.min(soonest, silent + ALARM_SLACK_SECONDS * 1000);
}
