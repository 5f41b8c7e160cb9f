import { nowMs } from '#shared/platform/runtime/clock.ts';
import { isSilent, type MachinePresence, offlineAfterSeconds } from '../machines/presence.ts';
import type { LeasePresence } from './lease.ts';

/** A machine that is disabled or in maintenance finishes its tasks and gets no new ones. */
export const isServing = ({
  enabled,
  maintenanceUntil,
}: Pick<LeasePresence, 'enabled' | 'maintenanceUntil'>): boolean =>
  enabled && (maintenanceUntil === null || Date.parse(maintenanceUntil) <= nowMs());

/**
 * The leases of one poll fit into one transaction; the leases of a machine fit into one read unit and one transaction
 * that ends them.
 */
export type Bounds = { perPoll: number; held: number };

/** How many tasks a poll may get now. */
export function roomFor(
  { leases, capacity }: Pick<LeasePresence, 'leases' | 'capacity'>,
  asked: number,
  bounds: Bounds,
): number {
  const held = Object.keys(leases).length;
  return Math.max(0, Math.min(asked, (capacity ?? bounds.held) - held, bounds.held - held, bounds.perPoll));
}

export type WorkLeft = 'waits' | 'waits but no room' | 'none';
const SECONDS = { waits: 5, 'waits but no room': 15 } as const;
const IDLE = { least: 60, spread: 60 };

/**
 * Seconds until the next poll: few only while work waits that fits; otherwise one to two minutes, spread so that
 * machines that started together do not stay together.
 */
export const intervalFor = (work: WorkLeft, random: number): number =>
  work === 'none' ? IDLE.least + Math.floor(random * IDLE.spread) : SECONDS[work];

/** The wait after an unrecorded call must not exceed the last recorded one, or the machine would count as silent. */
export function withinToldInterval(presence: MachinePresence, seconds: number): number {
  if (isSilent(presence)) return seconds;
  const silentIn = (presence.lastSeenAt - nowMs()) / 1000 + offlineAfterSeconds(presence.toldSeconds);
  return Math.max(1, Math.min(seconds, Math.floor(silentIn - SECONDS.waits)));
}
