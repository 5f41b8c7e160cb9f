import type { Engagement } from '#shared/entities/engagement.ts';
import { engagementRuns } from '#shared/entities/engagement-run.ts';
import { findings } from '#shared/entities/finding.ts';
import { readQueueName } from '#shared/entities/scanner-task.ts';
import { isInProgress } from '#shared/scanning/engagement-moves.ts';
import { countTasks, endedSince, settleEngagement, standOf } from '#shared/scanning/settle.ts';
import { isUnassignable, readFit } from '#shared/scanning/waiting.ts';
import type { Counts } from '#shared/table/counters.ts';
import type { Paging } from '#shared/table/list.ts';
import type { Table } from '#shared/table/table.ts';

type Shown = Pick<Engagement, 'id' | 'status' | 'tasks' | 'lastRun' | 'nextRunAt'>;

/** The counts of an engagement's tasks, and the status that follows from them. */
export const withCounts = <T extends Shown>(table: Table, engagements: readonly T[]): Promise<T[]> =>
  Promise.all(engagements.map((engagement) => counted(table, engagement)));

async function counted<T extends Shown>(table: Table, engagement: T): Promise<T> {
  const counts = await countTasks(table, engagement.id);
  const { pending = 0, running = 0, completed = 0, failed = 0, cancelled = 0 } = counts;
  const tasks = { pending, running, completed, failed, cancelled, unassignable: await unassignable(table, counts) };
  return { ...engagement, tasks, status: standOf(engagement, counts).status };
}

/** Tasks that wait in queues which no scanner serves. */
async function unassignable(table: Table, counts: Counts): Promise<number> {
  const waiting = Object.entries(counts).filter(([name, count]) => name.startsWith('waiting:') && count > 0);
  const amounts = await Promise.all(
    waiting.map(async ([name, count]) => {
      const { type, zone, groupId } = readQueueName(name.slice('waiting:'.length));
      return isUnassignable(await readFit(table, zone, groupId), type) ? count : 0;
    }),
  );
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** One whose tasks have all ended, but whose record does not say so (the last step broke off), is put right here. */
export async function showEngagement(table: Table, engagement: Engagement): Promise<Engagement> {
  const [shown, found] = await Promise.all([counted(table, engagement), countFindings(table, engagement.id)]);
  if (shown.status === engagement.status) return { ...shown, findings: found };
  const settled = await settleEngagement(table, engagement.id);
  return { ...(settled ?? engagement), tasks: shown.tasks, findings: found };
}

/** From the counts of the list of its findings: one read, however many there are. */
async function countFindings(table: Table, engagementId: string): Promise<NonNullable<Engagement['findings']>> {
  const [critical = 0, high = 0, medium = 0, low = 0, info = 0, found = 0, fixed = 0] = await table.counts(findings, {
    parent: { list: 'engagement', id: engagementId },
    filters: [...SEVERITIES.map((severity) => ({ severity })), {}, { status: 'fixed' }],
  });
  return { critical, high, medium, low, info, new: found, fixed };
}

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** Runs as a page; the one that is in progress with its tasks as they are now. */
export async function showRuns(table: Table, { id, lastRun }: Engagement, paging: Paging) {
  const page = await table.list(engagementRuns, { ...paging, parent: { list: 'engagement', id } });
  if (!lastRun || !isInProgress(lastRun)) return page;
  const tasks = endedSince(await countTasks(table, id), lastRun.tasksBefore);
  return { ...page, data: page.data.map((run) => (run.id === lastRun.id ? { ...run, tasks } : run)) };
}
