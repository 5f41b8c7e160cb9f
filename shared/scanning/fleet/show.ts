import * as z from 'zod';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { inOrganization } from '#shared/platform/table/table.ts';
import { FindingChanges, sumOfChanges } from '../engagements/finding-changes.ts';
import { readPresences } from '../machines/presence-rows.ts';
import type { ScannerTask } from '../scanner-tasks/scanner-task.ts';
import { withWaitingReasons } from '../scanner-tasks/waiting.ts';
import { type ScannerPresence, scannerPresences } from './presence.ts';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Tasks with the reasons why they wait, and with the progress that their scanners reported. */
export async function showTasks(table: Table, tasks: readonly ScannerTask[]): Promise<ScannerTask[]> {
  const [shown, rows] = await Promise.all([withWaitingReasons(table, tasks), readHolders(table, tasks)]);
  const leases = new Map(rows.flatMap((row) => Object.entries(row.leases)));
  return shown.map((task) => {
    const lease = task.status === 'running' ? leases.get(task.id) : undefined;
    return lease ? { ...task, progress: lease.progress, leaseExpiresAt: iso(lease.until) } : task;
  });
}

/** The presences of the scanners that hold tasks; a shared scanner's presence is in its provider's organization. */
async function readHolders(table: Table, tasks: readonly ScannerTask[]): Promise<ScannerPresence[]> {
  const running = tasks.filter(({ status }) => status === 'running');
  const byHolder = Map.groupBy(running, ({ providerId }) => providerId);
  const rows = [...byHolder].map(([providerId, some]) => {
    const ids = new Set(some.flatMap(({ scanner }) => scanner?.id ?? []));
    return readPresences(scannerPresences, inOrganization(table, providerId), [...ids].map(ordinalOf));
  });
  return (await Promise.all(rows)).flat();
}

const Result = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  closed: z.int(),
  reopened: z.int(),
  /** Absent in tasks of earlier releases. */
  bySeverity: FindingChanges.optional(),
});

/** One task, with the results of its reports once all of them are read, or the reason why a report was unreadable. */
export async function showTask(table: Table, task: ScannerTask): Promise<ScannerTask> {
  const [[shown = task], rows] = await Promise.all([
    showTasks(table, [task]),
    table.rows(taskRows).findMany(task.ingestTaskIds.map((id) => ({ id }))),
  ]);
  const unread = rows.find(({ status }) => status === 'failed');
  if (unread?.error) return { ...shown, error: shown.error ?? unread.error };
  const results = rows.map(({ result }) => Result.safeParse(result)).flatMap(({ data }) => (data ? [data] : []));
  if (results.length === 0 || results.length < task.ingestTaskIds.length) return shown;
  const sum = (name: Exclude<keyof z.infer<typeof Result>, 'bySeverity'>) =>
    results.reduce((total, result) => total + result[name], 0);
  return {
    ...shown,
    result: {
      created: sum('created'),
      updated: sum('updated'),
      unchanged: sum('unchanged'),
      closed: sum('closed'),
      reopened: sum('reopened'),
      bySeverity: sumOfChanges(results.flatMap(({ bySeverity }) => bySeverity ?? [])),
    },
  };
}
