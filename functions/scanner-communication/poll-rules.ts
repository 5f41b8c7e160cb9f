import { nowMs } from '#shared/clock.ts';
import { knownTaskTypes, type ScannerDataSource, type TaskType } from '#shared/entities/scanner.ts';
import { queueName } from '#shared/entities/scanner-task.ts';
import { isSilent, offlineAfterSeconds } from '#shared/machines/presence.ts';
import { LEASE_SECONDS, type Lease, type Presence } from '#shared/scanning/presence.ts';

/** A scanner gets at most this many tasks with one poll; what fits one transaction. */
export const MAX_PER_POLL = 10;
/** A presence of this many leases still fits one read unit. */
export const MAX_HELD = 30;

export type Heard = { leases: Record<string, Lease>; lost: string[]; cancel: { taskId: string; reason: string }[] };

/** What a poll says of running tasks, held against the leases: renewed, lost, to be cancelled. */
export function hear(presence: Presence, running: ScannerDataSource['running'] = []): Heard {
  const leases = { ...presence.leases };
  const lost: string[] = [];
  for (const { taskId, progress } of running) {
    const lease = leases[taskId];
    if (!lease) lost.push(taskId);
    else leases[taskId] = { ...lease, progress, until: renewedUntil(lease) };
  }
  const cancel = Object.entries(presence.leases).flatMap(([taskId, lease]) =>
    lease.cancel === undefined ? [] : [{ taskId, reason: lease.cancel }],
  );
  return { leases, lost, cancel };
}

const renewedUntil = ({ until, deadline }: Lease): number =>
  Math.max(until, Math.min(nowMs() + LEASE_SECONDS * 1000, deadline));

export const namesUnknownTask = (presence: Presence, { running = [] }: ScannerDataSource): boolean =>
  running.some(({ taskId }) => !presence.leases[taskId]);

/** A scanner that is disabled, too old or in maintenance finishes what it holds and gets nothing new. */
const isOpen = ({ enabled, versionStatus, maintenanceUntil }: Presence): boolean =>
  enabled && versionStatus !== 'unsupported' && (maintenanceUntil === null || Date.parse(maintenanceUntil) <= nowMs());

/** How many tasks a poll may get now. */
export function roomFor(presence: Presence, capacity: number): number {
  const held = Object.keys(presence.leases).length;
  return Math.max(0, Math.min(capacity, (presence.capacity ?? MAX_HELD) - held, MAX_HELD - held, MAX_PER_POLL));
}

/** The types of task that a scanner is given now; none while it is disabled, too old or in maintenance. */
export function typesOf(presence: Presence, named?: readonly string[]): TaskType[] {
  if (!isOpen(presence)) return [];
  const { taskTypes } = presence;
  return named ? knownTaskTypes(named).filter((type) => taskTypes.includes(type)) : taskTypes;
}

/** The queues from which a scanner takes: of its zone, for each of its groups and for none. */
export function queuesOf(presence: Presence, named?: readonly string[]): string[] {
  const { zone, groupIds } = presence;
  return typesOf(presence, named).flatMap((type) => [null, ...groupIds].map((group) => queueName(type, zone, group)));
}

/** Whether the scanner tells something of itself that its record does not say yet. */
export function saysNews(presence: Presence, { version, taskTypes }: ScannerDataSource): boolean {
  if (version !== undefined && version !== presence.softwareVersion) return true;
  return taskTypes !== undefined && knownTaskTypes(taskTypes).join() !== presence.supported.join();
}

export type Work = 'waits' | 'waits but no room' | 'none';

const SECONDS = { waits: 5, 'waits but no room': 15 } as const;
const IDLE = { least: 60, spread: 60 };

/**
 * When to poll again: soon only while work waits that fits; otherwise one to two minutes, spread so that scanners
 * that started together do not stay together.
 */
export const intervalFor = (work: Work, random: number): number =>
  work === 'none' ? IDLE.least + Math.floor(random * IDLE.spread) : SECONDS[work];

/**
 * A poll that records nothing must not be told to wait longer than the last recorded one allows, or the scanner would
 * be taken for silent.
 */
export function withinToldInterval(presence: Presence, seconds: number): number {
  if (isSilent(presence)) return seconds;
  const silentIn = (presence.lastSeenAt - nowMs()) / 1000 + offlineAfterSeconds(presence.toldSeconds);
  return Math.max(1, Math.min(seconds, Math.floor(silentIn - SECONDS.waits)));
}
