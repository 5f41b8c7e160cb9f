import { nowMs } from '../runtime/clock.ts';
import { isSilent, type MachinePresence, nextLook, offlineAfterSeconds } from './presence.ts';

/* What scanners and appliances have in common: they poll for tasks, hold leases of them, and renew these as they go. */

/** A lease not renewed for this long ends, and its task is handed out again. */
export const LEASE_SECONDS = 900;
/** A task may be renewed for a day at most, unless it says less. */
export const MAX_TASK_SECONDS = 86_400;

/** A lease that a machine holds. Times are milliseconds: presences are rewritten every minute and paid by the byte. */
export type MachineLease = {
  attempt: number;
  until: number;
  deadline: number;
  progress: number;
  /** Why it is to stop. */
  cancel?: string;
  /** Whose task it is, where it is not the machine's own organization's. */
  organizationId?: string;
};

type Holding<L extends MachineLease> = { leases: Record<string, L> };
type Said = { taskId: string };

/** When the sweeper must look at a machine: when its first lease ends, or once it is silent. */
export const nextTimer = (presence: MachinePresence & Holding<MachineLease>): number =>
  nextLook(presence, Math.min(...Object.values(presence.leases).map(({ until }) => until)));

type Heard<L extends MachineLease> = {
  leases: Record<string, L>;
  lost: string[];
  cancel: { taskId: string; reason: string }[];
};

/**
 * What a machine says of its running tasks, held against its leases: renewed, lost, to be cancelled.
 * @param noted what the lease keeps of it
 */
export function hearOf<L extends MachineLease, S extends Said>(
  { leases: held }: Holding<L>,
  running: readonly S[],
  noted: (said: S) => Partial<L>,
): Heard<L> {
  const leases = { ...held };
  const lost: string[] = [];
  for (const said of running) {
    const lease = leases[said.taskId];
    if (lease) leases[said.taskId] = { ...lease, ...noted(said), until: renewedUntil(lease) };
    else lost.push(said.taskId);
  }
  const cancel = Object.entries(held).flatMap(([taskId, lease]) =>
    lease.cancel === undefined ? [] : [{ taskId, reason: lease.cancel }],
  );
  return { leases, lost, cancel };
}

const renewedUntil = ({ until, deadline }: MachineLease): number =>
  Math.max(until, Math.min(nowMs() + LEASE_SECONDS * 1000, deadline));

export const namesUnknownTask = ({ leases }: Holding<MachineLease>, running: readonly Said[] = []): boolean =>
  running.some(({ taskId }) => !leases[taskId]);

type Serving = { enabled: boolean; maintenanceUntil: string | null };

/** A machine that is disabled or in maintenance finishes what it holds and gets nothing new. */
export const isServing = ({ enabled, maintenanceUntil }: Serving): boolean =>
  enabled && (maintenanceUntil === null || Date.parse(maintenanceUntil) <= nowMs());

/** What a machine gets with one poll fits one transaction; what it holds, one read unit and the transaction that removes it. */
export type Bounds = { perPoll: number; held: number };

/** How many tasks a poll may get now. `capacity`: what its operator allows. */
export function roomFor(
  { leases, capacity }: Holding<MachineLease> & { capacity: number | null },
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
 * When to poll again: soon only while work waits that fits; otherwise one to two minutes, spread so that machines
 * that started together do not stay together.
 */
export const intervalFor = (work: WorkLeft, random: number): number =>
  work === 'none' ? IDLE.least + Math.floor(random * IDLE.spread) : SECONDS[work];

/**
 * A call that records nothing must not be told to wait longer than the last recorded one allows, or the machine would
 * be taken for silent.
 */
export function withinToldInterval(presence: MachinePresence, seconds: number): number {
  if (isSilent(presence)) return seconds;
  const silentIn = (presence.lastSeenAt - nowMs()) / 1000 + offlineAfterSeconds(presence.toldSeconds);
  return Math.max(1, Math.min(seconds, Math.floor(silentIn - SECONDS.waits)));
}
