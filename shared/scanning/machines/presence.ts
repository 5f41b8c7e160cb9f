import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { MACHINE_STATUSES } from './machine.ts';

/**
 * The part of a presence that every kind of machine has. A presence is one small row that a machine's calls read and
 * rewrite, so that the record and its counters change only when the machine comes or goes. Times are milliseconds.
 */
export type MachinePresence = {
  machineId: string;
  /** Every write is conditional on it. */
  rev: number;
  /** The record changed after the presence copied it: the machine's next call copies it again. */
  stale: boolean;
  /** By the record and its counters. */
  online: boolean;
  lastSeenAt: number;
  /** The interval in the answer to the machine's last recorded call. */
  toldSeconds: number;
  /** When the sweeper looks at the machine; 0 when it need not. */
  timerAt: number;
};

type Newcomer = { id: string; status: MachineStatus };

/** The presence of a machine that has not called yet. */
export const firstPresence = ({ id, status }: Newcomer): MachinePresence => ({
  machineId: id,
  rev: 0,
  stale: false,
  online: status === 'online',
  lastSeenAt: 0,
  toldSeconds: 0,
  timerAt: 0,
});

/** A heartbeat is recorded at most once in this time. */
export const HEARTBEAT_SECONDS = 60;
/** The sweeper's timer is set this much later than needed, so that a healthy machine moves it only now and then. */
const TIMER_SLACK_SECONDS = 180;

/** Two calls may fail, and one heartbeat may have gone unrecorded, before a machine counts as silent. */
export const offlineAfterSeconds = (toldSeconds: number): number => 2 * toldSeconds + HEARTBEAT_SECONDS + 30;

type Seen = Pick<MachinePresence, 'lastSeenAt' | 'toldSeconds'>;

export const silentAt = ({ lastSeenAt, toldSeconds }: Seen): number =>
  lastSeenAt + offlineAfterSeconds(toldSeconds) * 1000;

export const isSilent = (presence: Seen): boolean => silentAt(presence) <= nowMs();

export const isHeartbeatDue = ({ lastSeenAt }: Seen): boolean => nowMs() - lastSeenAt >= HEARTBEAT_SECONDS * 1000;

export type MachineStatus = (typeof MACHINE_STATUSES)[number];

/** The status at this moment; the record and its counters follow when the sweeper passes. */
export function statusNow({ enabled }: { enabled: boolean }, presence: Seen | undefined): MachineStatus {
  if (!enabled) return 'disabled';
  if (!presence || presence.lastSeenAt === 0) return 'never_connected';
  return isSilent(presence) ? 'offline' : 'online';
}

/**
 * When the sweeper must look at a machine: at `soonest` (the end of a lease), or once the machine is silent. A machine
 * that keeps calling moves its timer ahead before it is due, so the sweeper sees only the others.
 */
export function nextLook(presence: MachinePresence, soonest = Number.POSITIVE_INFINITY): number {
  const silent = presence.online ? silentAt(presence) : Number.POSITIVE_INFINITY;
  if (Math.min(soonest, silent) === Number.POSITIVE_INFINITY) return 0;
  const current = presence.timerAt;
  if (current !== 0 && current <= soonest && current >= silent && silent !== Number.POSITIVE_INFINITY) return current;
  return Math.min(soonest, silent + TIMER_SLACK_SECONDS * 1000);
}
