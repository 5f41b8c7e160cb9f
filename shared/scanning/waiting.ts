import { nowMs } from '../clock.ts';
import { fitName, scanners, type TaskType } from '../entities/scanner.ts';
import type { ScannerTask, WaitingReason } from '../entities/scanner-task.ts';
import type { Counts } from '../table/counters.ts';
import type { Table } from '../table/table.ts';

/** An idle scanner polls after two minutes at the latest: until then a task is not waiting for anything. */
const PATIENCE_SECONDS = 150;

/** Why nothing takes a task, from the counters of the scanners of its zone and group. */
export function reasonOf(fit: Counts, type: TaskType, waitingSeconds: number): WaitingReason | undefined {
  if (!fit.any) return 'no_scanner_in_zone';
  if (!fit[type]) return 'no_scanner_for_type';
  if (!fit[`on:${type}`]) return 'all_offline';
  return waitingSeconds > PATIENCE_SECONDS ? 'all_busy' : undefined;
}

export const isUnassignable = (fit: Counts, type: string): boolean => !fit.any || !fit[type];

export const readFit = (table: Table, zone: string | null, groupId: string | null): Promise<Counts> =>
  table.tally(scanners, 'fit', fitName(zone, groupId));

/** The tasks, with the reason of each that waits: one counter read per zone and group among them. */
export async function withWaitingReasons(table: Table, tasks: readonly ScannerTask[]): Promise<ScannerTask[]> {
  const fits = new Map<string, Promise<Counts>>();
  const fitOf = ({ zone, scannerGroupId }: ScannerTask) => {
    const name = fitName(zone, scannerGroupId);
    const fit = fits.get(name) ?? readFit(table, zone, scannerGroupId);
    fits.set(name, fit);
    return fit;
  };
  return Promise.all(
    tasks.map(async (task) => {
      if (task.status !== 'pending') return task;
      const waitingSeconds = (nowMs() - Date.parse(task.updatedAt)) / 1000;
      return { ...task, waitingReason: reasonOf(await fitOf(task), task.type, waitingSeconds) };
    }),
  );
}
