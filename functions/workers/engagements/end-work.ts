import * as z from 'zod';
import { apexCampaigns, campaignStates } from '#shared/apex/apex-campaign.ts';
import { type ApexTask, apexTaskStates, apexTasks } from '#shared/apex/apex-task.ts';
import { cancelCampaign } from '#shared/apex/campaign.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { cancelTask, unlessEnded } from '#shared/apex/stop.ts';
import { sendTask, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { cancelAll } from './cancel-tasks.ts';

/** After this time the next message does the rest, so that no invocation nears its time limit. */
const SLICE_MS = 30_000;
/** Campaigns or Apex tasks of one read. */
const PAGE = 100;

/** The work of an engagement in the order of its end: campaigns first, so that they release no more tasks. */
const PARTS = ['campaigns', 'apexTasks', 'scannerTasks'] as const;
type Part = (typeof PARTS)[number];

const Input = z.object({ engagementId: z.uuid() });
const Checkpoint = z.object({ part: z.enum(PARTS), seen: z.int() }).default({ part: 'campaigns', seen: 0 });
type Checkpoint = z.infer<typeof Checkpoint>;

type EndedWork = { table: Table; engagementId: string; reason: string };
/** The next position in a part, and the size of the part. */
type PartProgress = { next: number; total: number };

const parts: Record<Part, (work: EndedWork, from: number) => Promise<PartProgress>> = {
  campaigns: endCampaigns,
  apexTasks: endApexTasks,
  scannerTasks: ({ table, engagementId }, from) => cancelAll(table, engagementId, from),
};

/**
 * Ends the work of an engagement that was cancelled, rejected or completed: waiting tasks at once, running tasks when
 * their scanner or appliance hears of it. Harmless to repeat.
 */
export async function endWork({ table, task, connections }: Work): Promise<Record<string, unknown> | undefined> {
  const { engagementId } = Input.parse(task.input);
  const { status } = await table.get(engagements, engagementId, true);
  const work = { table, engagementId, reason: `Its engagement was ${status}.` };
  const isDone = await endSlice(work, task).catch((error: unknown) => {
    // others changed a task too often: the message comes again
    if (error instanceof ApiError) throw new Error(`ending the work of ${engagementId} stopped`, { cause: error });
    throw error;
  });
  if (isDone) return { engagementId };
  await sendTask(connections, table, task);
  return undefined;
}

async function endSlice(work: EndedWork, task: TaskRow): Promise<boolean> {
  const end = nowMs() + SLICE_MS;
  let at: Checkpoint | undefined = Checkpoint.parse(task.checkpoint);
  while (at && nowMs() < end) at = await endSome(work, task, at);
  return at === undefined;
}

/** @returns the next checkpoint */
async function endSome(work: EndedWork, task: TaskRow, { part, seen }: Checkpoint): Promise<Checkpoint | undefined> {
  const { next, total } = await parts[part](work, seen);
  const following = PARTS[PARTS.indexOf(part) + 1];
  const checkpoint = next < total ? { part, seen: next } : following && { part: following, seen: 0 };
  const progress =
    part === 'scannerTasks' ? { progress: { ...task.progress, done: Math.min(next, total), total } } : {};
  if (checkpoint) await work.table.rows(taskRows).set({ id: task.id }, { checkpoint, ...progress });
  return checkpoint;
}

const pageOf = ({ engagementId }: EndedWork, paginateFrom: number) => ({
  paginateFrom,
  paginateSize: PAGE,
  parent: { engagement: engagementId },
});

async function endCampaigns(work: EndedWork, from: number): Promise<PartProgress> {
  const { table, reason } = work;
  const { data, totalCount } = await table.list(apexCampaigns, pageOf(work, from));
  for (const { id, status } of data)
    if (campaignStates[status].cancel) await unlessEnded(() => cancelCampaign(table, id, reason));
  return { next: from + PAGE, total: totalCount };
}

/** Cancels Apex tasks of a page, and at the end the tasks that depend on them. */
async function endApexTasks(work: EndedWork, from: number): Promise<PartProgress> {
  const { table, reason } = work;
  const { data, totalCount } = await table.list(apexTasks, pageOf(work, from));
  const error = { code: 'engagement_ended', message: reason };
  const ended: ApexTask[] = [];
  for (const { id, status, cancelRequestedAt } of data) {
    if (cancelRequestedAt || isFinal(apexTaskStates, status)) continue;
    const task = await unlessEnded(() => cancelTask(table, id, { error }));
    if (task) ended.push(task);
  }
  await settleTasks(table, ended);
  return { next: from + PAGE, total: totalCount };
}
