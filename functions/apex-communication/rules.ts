import type { ApexCommand, ApexLease, ApexPresence } from '#shared/apex/presence.ts';
import { nowMs } from '#shared/clock.ts';
import { type ApexDataSource, knownApexTypes, type ReportedTask } from '#shared/entities/apex-appliance.ts';
import { isSilent, offlineAfterSeconds } from '#shared/machines/presence.ts';

/** A lease not renewed for this long ends, and its task is handed out again. */
export const LEASE_SECONDS = 900;
/** A task may be renewed for a day at most, unless it says less. */
export const MAX_TASK_SECONDS = 86_400;
/** What an appliance gets with one poll fits one transaction; what it holds, the one that removes it. */
export const MAX_PER_POLL = 5;
export const MAX_HELD = 15;

export type Heard = { leases: Record<string, ApexLease>; lost: string[]; cancel: { taskId: string; reason: string }[] };

/** What an appliance says of running tasks, held against its leases: renewed, lost, to be cancelled. */
export function hear(presence: ApexPresence, running: readonly ReportedTask[] = []): Heard {
  const leases = { ...presence.leases };
  const lost: string[] = [];
  for (const { taskId, progress, step, message } of running) {
    const lease = leases[taskId];
    if (!lease) lost.push(taskId);
    else
      leases[taskId] = {
        ...lease,
        progress,
        ...(step && { step }),
        ...(message && { message }),
        until: renewed(lease),
      };
  }
  const cancel = Object.entries(presence.leases).flatMap(([taskId, lease]) =>
    lease.cancel === undefined ? [] : [{ taskId, reason: lease.cancel }],
  );
  return { leases, lost, cancel };
}

const renewed = ({ until, deadline }: ApexLease): number =>
  Math.max(until, Math.min(nowMs() + LEASE_SECONDS * 1000, deadline));

export const namesUnknownTask = (presence: ApexPresence, running: readonly ReportedTask[] = []): boolean =>
  running.some(({ taskId }) => !presence.leases[taskId]);

/** One that is disabled or in maintenance finishes what it holds and gets nothing new. */
export const isOpen = ({ enabled, maintenanceUntil }: ApexPresence): boolean =>
  enabled && (maintenanceUntil === null || Date.parse(maintenanceUntil) <= nowMs());

/** How many tasks a poll may get now. */
export function roomFor(presence: ApexPresence, capacity: number): number {
  const held = Object.keys(presence.leases).length;
  return Math.max(0, Math.min(capacity, (presence.capacity ?? MAX_HELD) - held, MAX_HELD - held, MAX_PER_POLL));
}

/** Whether the appliance tells something of itself that its record does not say yet. */
export function saysNews(
  presence: ApexPresence,
  { version, taskTypes }: Pick<ApexDataSource, 'version' | 'taskTypes'>,
) {
  if (version != null && version !== presence.softwareVersion) return true;
  return taskTypes !== undefined && knownApexTypes(taskTypes).join() !== presence.taskTypes.join();
}

type Command = Omit<ApexCommand, 'until'>;

/** What a session update is told: what to stop and hold always, what was left for the appliance while it lasts. */
export function commandsFor({ leases, commands }: Pick<ApexPresence, 'leases' | 'commands'>): Command[] {
  const standing = Object.entries(leases).flatMap(([taskId, { cancel, isPaused }]): Command[] => {
    if (cancel !== undefined) return [{ type: 'cancel', taskId, reason: cancel }];
    return isPaused ? [{ type: 'pause', taskId, reason: 'campaign_paused' }] : [];
  });
  const isMoot = ({ type, taskId, until }: ApexCommand) =>
    until <= nowMs() || (taskId !== undefined && (!leases[taskId] || (type === 'resume' && leases[taskId].isPaused)));
  const left = commands.filter((command) => !isMoot(command));
  return [...standing, ...left.map(({ until: _until, ...command }) => command)];
}

export type Work = 'waits' | 'waits but no room' | 'none';
const SECONDS = { waits: 5, 'waits but no room': 15 } as const;
const IDLE = { least: 60, spread: 60 };

/** When to poll again: soon only while work waits that fits; otherwise one to two minutes, spread. */
export const intervalFor = (work: Work, random: number): number =>
  work === 'none' ? IDLE.least + Math.floor(random * IDLE.spread) : SECONDS[work];

/** A call that records nothing must not be told to wait longer than the last recorded one allows. */
export function withinToldInterval(presence: ApexPresence, seconds: number): number {
  if (isSilent(presence)) return seconds;
  const silentIn = (presence.lastSeenAt - nowMs()) / 1000 + offlineAfterSeconds(presence.toldSeconds);
  return Math.max(1, Math.min(seconds, Math.floor(silentIn - SECONDS.waits)));
}
