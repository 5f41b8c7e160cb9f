import * as z from 'zod';
import { cancelCampaign } from '#shared/apex/campaign.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { cancelTask, unlessEnded } from '#shared/apex/stop.ts';
import { apexCampaigns } from '#shared/entities/apex-campaign.ts';
import { apexTasks } from '#shared/entities/apex-task.ts';
import { sendTask, taskRows } from '#shared/jobs/task.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { chunksOf } from '#shared/runtime/chunks.ts';
import { now, nowMs } from '#shared/runtime/clock.ts';
import type { Entity, ListItem, Stored } from '#shared/table/entity.ts';
import type { Table } from '#shared/table/table.ts';

const PAGE = { paginateFrom: 0, paginateSize: 100 };
const STOPPED = { code: 'stopped', message: 'Everything was stopped.' };
/** Times that everything is looked through; whoever makes tasks faster than they are stopped is not waited for. */
const MAX_PASSES = 10;
/** After this a message leaves the rest to the next, so that none nears its time limit. */
const SLICE_MS = 60_000;
/** Tasks that are stopped at the same time. */
const AT_ONCE = 8;

const Stopped = z.object({ campaigns: z.int(), tasks: z.int() }).default({ campaigns: 0, tasks: 0 });
type Stopped = z.infer<typeof Stopped>;
type StopPass = { table: Table; stopped: Stopped; isOver: () => boolean };

/**
 * Stops what waits or runs, and looks again until nothing is left: while it was stopping, a task that waited may have
 * been handed out. What runs comes first, for it does something now. Repeating it is harmless.
 */
export async function stopAll({ table, task, connections }: Work): Promise<Record<string, unknown> | undefined> {
  const stopped = Stopped.parse(task.checkpoint);
  const end = nowMs() + SLICE_MS;
  const stopping = { table, stopped, isOver: () => nowMs() >= end };
  for (let pass = 0, before = -1; pass < MAX_PASSES && sizeOf(stopped) > before; pass++) {
    before = sizeOf(stopped);
    await stopTasks(stopping, 'running');
    await stopCampaigns(stopping);
    await stopTasks(stopping, 'pending');
    const progress = { done: stopped.tasks, unit: 'tasks' };
    await table.rows(taskRows).set({ id: task.id }, { progress, checkpoint: stopped, updatedAt: now() });
    if (!stopping.isOver()) continue;
    await sendTask(connections, table, task);
    return undefined;
  }
  return stopped;
}

const sizeOf = ({ campaigns, tasks }: Stopped): number => campaigns + tasks;

/**
 * Before the tasks that wait, so that they release nothing more; each cancels those of its run. Campaigns that run come
 * last, so that one that begins meanwhile is among them.
 */
async function stopCampaigns({ table, stopped, isOver }: StopPass): Promise<void> {
  for (const status of ['scheduled', 'paused', 'running'])
    for (const { id, currentRun } of await itemsOf(table, apexCampaigns, status)) {
      if (isOver()) return;
      const campaign = await unlessEnded(() => cancelCampaign(table, id, STOPPED.message));
      if (!campaign) continue;
      stopped.campaigns += 1;
      if (currentRun) stopped.tasks += campaign.tasks.pending;
    }
}

/** Of no campaign what waits for these is stopped as they are: nothing follows their end. */
async function stopTasks({ table, stopped, isOver }: StopPass, status: 'pending' | 'running'): Promise<void> {
  const going = (await itemsOf(table, apexTasks, status)).filter(({ cancelRequestedAt }) => !cancelRequestedAt);
  for (const part of chunksOf(going, AT_ONCE)) {
    if (isOver()) return;
    const cancelled = await Promise.all(
      part.map(({ id }) => unlessEnded(() => cancelTask(table, id, { error: STOPPED }))),
    );
    const ended = cancelled.flatMap((task) => task ?? []);
    stopped.tasks += ended.length;
    await settleTasks(
      table,
      ended.filter(({ runId }) => runId !== null),
    );
  }
}

/** All pages are read before anything changes, for whatever is cancelled leaves the list. */
async function itemsOf<T extends Stored, D extends keyof T>(table: Table, entity: Entity<T, D>, status: string) {
  const items: ListItem<T, D>[] = [];
  for (let paginateFrom = 0; ; paginateFrom += PAGE.paginateSize) {
    const { data, totalCount } = await table.list(entity, { ...PAGE, paginateFrom, filter: { status } });
    items.push(...data);
    if (paginateFrom + PAGE.paginateSize >= totalCount) return items;
  }
}
