import type { Counts } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Engagement } from '../engagements/engagement.ts';
import { parseScannerQueue } from '../scanner-tasks/scanner-task.ts';
import { isUnassignable, readFit } from '../scanner-tasks/waiting.ts';
import { countTasks, settleEngagement, stateByTasks } from './settle.ts';

type Shown = Pick<Engagement, 'id' | 'status' | 'tasks' | 'lastRun' | 'nextRunAt'>;

/** Adds to engagements the counts of their tasks, and the status that follows from the counts. */
export const eachWithCounts = <T extends Shown>(table: Table, engagements: readonly T[]): Promise<T[]> =>
  Promise.all(engagements.map((engagement) => withCounts(table, engagement)));

export async function withCounts<T extends Shown>(table: Table, engagement: T): Promise<T> {
  const counts = await countTasks(table, engagement.id);
  const { pending = 0, running = 0, completed = 0, failed = 0, cancelled = 0 } = counts;
  const tasks = { pending, running, completed, failed, cancelled, unassignable: await unassignable(table, counts) };
  return { ...engagement, tasks, status: stateByTasks(engagement, counts).status };
}

/** The number of tasks in queues that no scanner serves. */
async function unassignable(table: Table, counts: Counts): Promise<number> {
  const waiting = Object.entries(counts).filter(([name, count]) => name.startsWith('waiting:') && count > 0);
  const amounts = await Promise.all(
    waiting.map(async ([name, count]) => {
      const { type, zone, groupId } = parseScannerQueue(name.slice('waiting:'.length));
      return isUnassignable(await readFit(table, zone, groupId), type) ? count : 0;
    }),
  );
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Settles an engagement whose tasks have ended but whose record is not settled: an earlier step broke off. */
export async function showEngagement(table: Table, engagement: Engagement): Promise<Engagement> {
  const shown = await withCounts(table, engagement);
  if (shown.status === engagement.status) return shown;
  const settled = await settleEngagement(table, engagement.id);
  return { ...(settled ?? engagement), tasks: shown.tasks };
}
