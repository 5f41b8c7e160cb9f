import type { TaskType } from '#shared/assets/targets/scan-target.ts';
import type { ScannerPresence } from '#shared/scanning/fleet/presence.ts';
import { isServing } from '#shared/scanning/leases/room.ts';
import { scannerQueue } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { knownTaskTypes } from '#shared/scanning/scanners/scanner.ts';

/** A scanner whose version is too old finishes its tasks and gets no new ones. */
const isOpen = (presence: ScannerPresence): boolean => isServing(presence) && presence.versionStatus !== 'unsupported';

/** The types of task that a scanner is given now; none while it is disabled, too old or in maintenance. */
export function typesOf(presence: ScannerPresence, named?: readonly string[]): TaskType[] {
  if (!isOpen(presence)) return [];
  const { taskTypes } = presence;
  return named ? knownTaskTypes(named).filter((type) => taskTypes.includes(type)) : taskTypes;
}

/** The queues from which a scanner takes: of its zone, for each of its groups and for none. */
export function queuesOf(presence: ScannerPresence, named?: readonly string[]): string[] {
  const { zone, groupIds } = presence;
  return typesOf(presence, named).flatMap((type) =>
    [null, ...groupIds].map((group) => scannerQueue(type, zone, group)),
  );
}
