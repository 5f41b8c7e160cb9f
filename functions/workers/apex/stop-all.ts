import { cancelCampaign } from '#shared/apex/campaign.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { cancelTask } from '#shared/apex/stop.ts';
import { now } from '#shared/clock.ts';
import { apexCampaigns } from '#shared/entities/apex-campaign.ts';
import { apexTasks } from '#shared/entities/apex-task.ts';
import { ApiError } from '#shared/http/errors.ts';
import { taskRows } from '#shared/jobs/task.ts';
import type { Work } from '#shared/jobs/worker.ts';
import type { Table } from '#shared/table/table.ts';

const PAGE = { paginateFrom: 0, paginateSize: 100 };
const STOPPED = { code: 'stopped', message: 'Everything was stopped.' };

/** Campaigns first, so that they release nothing more; then the tasks that are left. Repeating it is harmless. */
export async function stopAll({ table, task }: Work): Promise<Record<string, unknown>> {
  let campaigns = 0;
  for (const status of ['running', 'paused', 'scheduled'])
    for (const id of await idsOf(table, apexCampaigns, status))
      campaigns += Number(await happened(() => cancelCampaign(table, id, 'Everything was stopped.')));
  let tasks = 0;
  for (const status of ['pending', 'running'])
    for (const id of await idsOf(table, apexTasks, status)) {
      tasks += Number(await happened(async () => settleTasks(table, [await cancelTask(table, id, STOPPED)])));
      if (tasks % 50 === 0) await note(table, task.id, tasks);
    }
  return { campaigns, tasks };
}

/** All pages are read before anything changes, for whatever is cancelled leaves the list. */
async function idsOf(table: Table, entity: typeof apexTasks | typeof apexCampaigns, status: string): Promise<string[]> {
  const ids: string[] = [];
  for (let paginateFrom = 0; ; paginateFrom += PAGE.paginateSize) {
    const query = { ...PAGE, paginateFrom, filter: { status } };
    const { data, totalCount } =
      entity === apexTasks ? await table.list(apexTasks, query) : await table.list(apexCampaigns, query);
    ids.push(...data.map(({ id }) => id));
    if (paginateFrom + PAGE.paginateSize >= totalCount) return ids;
  }
}

/** false: it has ended meanwhile. */
async function happened(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'conflict' || error.code === 'not_found')) return false;
    throw error;
  }
}

async function note(table: Table, id: string, done: number): Promise<void> {
  await table.rows(taskRows).set({ id }, { progress: { done, unit: 'tasks' }, updatedAt: now() });
}
