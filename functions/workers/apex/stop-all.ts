import { cancelCampaign } from '#shared/apex/campaign.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { cancelTask, unlessEnded } from '#shared/apex/stop.ts';
import { now } from '#shared/clock.ts';
import { apexCampaigns } from '#shared/entities/apex-campaign.ts';
import { type ApexTask, apexTasks } from '#shared/entities/apex-task.ts';
import { taskRows } from '#shared/jobs/task.ts';
import type { Work } from '#shared/jobs/worker.ts';
import type { Entity, ListItem, Stored } from '#shared/table/entity.ts';
import type { Table } from '#shared/table/table.ts';

const PAGE = { paginateFrom: 0, paginateSize: 100 };
const STOPPED = { code: 'stopped', message: 'Everything was stopped.' };
/** Times that everything is looked through; whoever makes tasks faster than they are stopped is not waited for. */
const MAX_PASSES = 10;

type Stopped = { campaigns: number; tasks: number };

/**
 * Stops what waits or runs, and looks again until nothing is left: while it was stopping, a task that ran may wait
 * again. Repeating it is harmless.
 */
export async function stopAll({ table, task }: Work): Promise<Record<string, unknown>> {
  const stopped: Stopped = { campaigns: 0, tasks: 0 };
  for (let pass = 0, before = -1; pass < MAX_PASSES && sizeOf(stopped) > before; pass++) {
    before = sizeOf(stopped);
    await stopCampaigns(table, stopped);
    await stopTasks(table, stopped);
    await table
      .rows(taskRows)
      .set({ id: task.id }, { progress: { done: stopped.tasks, unit: 'tasks' }, updatedAt: now() });
  }
  return stopped;
}

const sizeOf = ({ campaigns, tasks }: Stopped): number => campaigns + tasks;

/**
 * Campaigns first, so that they release nothing more; each cancels the tasks of its run. Those that run come last, so
 * that one that begins meanwhile is among them.
 */
async function stopCampaigns(table: Table, stopped: Stopped): Promise<void> {
  for (const status of ['scheduled', 'paused', 'running'])
    for (const { id, currentRun } of await itemsOf(table, apexCampaigns, status)) {
      const campaign = await unlessEnded(() => cancelCampaign(table, id, STOPPED.message));
      if (!campaign) continue;
      stopped.campaigns += 1;
      if (currentRun) stopped.tasks += campaign.tasks.pending + campaign.tasks.running;
    }
}

/** What follows comes last: it would cancel, and not count, what waits for these. */
async function stopTasks(table: Table, stopped: Stopped): Promise<void> {
  const ended: ApexTask[] = [];
  for (const status of ['pending', 'running'])
    for (const { id, cancelRequestedAt } of await itemsOf(table, apexTasks, status)) {
      const task = cancelRequestedAt ? undefined : await unlessEnded(() => cancelTask(table, id, STOPPED));
      if (task) ended.push(task);
    }
  stopped.tasks += ended.length;
  await settleTasks(table, ended);
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
