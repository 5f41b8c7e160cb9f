import { knownTaskTypes, type ScannerDataSource, type TaskType } from '#shared/entities/scanner.ts';
import { scannerQueue } from '#shared/entities/scanner-task.ts';
import { type Bounds, hearOf, isServing } from '#shared/machines/leases.ts';
import type { Presence } from '#shared/scanners/presence.ts';

export const BOUNDS: Bounds = { perPoll: 10, held: 30 };

/** Of what a poll says of its running tasks the lease keeps how far they are. */
export const hear = (presence: Presence, running: ScannerDataSource['running'] = []) =>
  hearOf(presence, running, ({ progress }) => ({ progress }));

/** One that is too old, too, finishes what it holds and gets nothing new. */
const isOpen = (presence: Presence): boolean => isServing(presence) && presence.versionStatus !== 'unsupported';

/** The types of task that a scanner is given now; none while it is disabled, too old or in maintenance. */
export function typesOf(presence: Presence, named?: readonly string[]): TaskType[] {
  if (!isOpen(presence)) return [];
  const { taskTypes } = presence;
  return named ? knownTaskTypes(named).filter((type) => taskTypes.includes(type)) : taskTypes;
}

/** The queues from which a scanner takes: of its zone, for each of its groups and for none. */
export function queuesOf(presence: Presence, named?: readonly string[]): string[] {
  const { zone, groupIds } = presence;
  return typesOf(presence, named).flatMap((type) =>
    [null, ...groupIds].map((group) => scannerQueue(type, zone, group)),
  );
}

/** Whether the scanner tells something of itself that its record does not say yet. */
export function saysNews(presence: Presence, { version, taskTypes }: ScannerDataSource): boolean {
  if (version !== undefined && version !== presence.softwareVersion) return true;
  return taskTypes !== undefined && knownTaskTypes(taskTypes).join() !== presence.supported.join();
}
