import * as z from 'zod';
import { apexCampaigns } from '#shared/apex/apex-campaign.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { cancelCampaign } from '#shared/apex/campaign.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { cancelTask, unlessEnded } from '#shared/apex/stop.ts';
import { sendTask, taskRows } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { now, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Entity, ListItem, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';

const PAGE = { paginateFrom: 0, paginateSize: 100 };
/** The person who stopped everything, and the reason; an order of an earlier release has no `by`. */
export const StopOrder = z.object({ by: z.string().optional(), reason: z.string().optional() });
type StopOrder = z.infer<typeof StopOrder>;

const messageOf = ({ by, reason }: StopOrder): string =>
  `Everything was stopped${by === undefined ? '' : ` by ${by}`}${reason === undefined ? '.' : `: ${reason}`}`;

/** Passes over all tasks. New tasks that come faster than they are stopped do not prolong the work. */
const MAX_PASSES = 10;
/** After this time the next message does the rest, so that no invocation nears its time limit. */
const SLICE_MS = 60_000;
/** Tasks that are stopped at the same time. */
const AT_ONCE = 8;

const Stopped = z.object({ campaigns: z.int(), tasks: z.int() }).default({ campaigns: 0, tasks: 0 });
type Stopped = z.infer<typeof Stopped>;
type StopPass = { table: Table; message: string; stopped: Stopped; isOver: () => boolean };

/**
 * Stops all tasks and campaigns, in passes until none is left: during a pass a waiting task may have been leased.
 * Running tasks come first, because they act now. Harmless to repeat.
 */
export async function stopAll(
  { table, task, connections }: Work,
  order: StopOrder,
): Promise<Record<string, unknown> | undefined> {
  const stopped = Stopped.parse(task.checkpoint);
  const end = nowMs() + SLICE_MS;
  const stopping = { table, message: messageOf(order), stopped, isOver: () => nowMs() >= end };
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
 * Cancels campaigns with the tasks of their runs, before other waiting tasks, so that campaigns release no more tasks.
 * Running campaigns are last, so that a campaign that begins meanwhile is among them.
 */
async function stopCampaigns({ table, message, stopped, isOver }: StopPass): Promise<void> {
  for (const status of ['scheduled', 'paused', 'running'])
    for (const { id, currentRun } of await itemsOf(table, apexCampaigns, status)) {
      if (isOver()) return;
      const campaign = await unlessEnded(() => cancelCampaign(table, id, message));
      if (!campaign) continue;
      stopped.campaigns += 1;
      if (currentRun) stopped.tasks += campaign.tasks.pending;
    }
}

/** Stops tasks. Dependents of tasks without a campaign are stopped by the same pass, so they need no settlement. */
async function stopTasks({ table, message, stopped, isOver }: StopPass, status: 'pending' | 'running'): Promise<void> {
  const going = (await itemsOf(table, apexTasks, status)).filter(({ cancelRequestedAt }) => !cancelRequestedAt);
  for (const part of chunksOf(going, AT_ONCE)) {
    if (isOver()) return;
    const cancelled = await Promise.all(
      part.map(({ id }) => unlessEnded(() => cancelTask(table, id, { error: { code: 'stopped', message } }))),
    );
    const ended = cancelled.flatMap((task) => task ?? []);
    stopped.tasks += ended.length;
    await settleTasks(
      table,
      ended.filter(({ runId }) => runId !== null),
    );
  }
}

/** Reads all pages first, because cancelled items leave the list. */
async function itemsOf<T extends Stored, D extends keyof T>(table: Table, entity: Entity<T, D>, status: string) {
  const items: ListItem<T, D>[] = [];
  for (let paginateFrom = 0; ; paginateFrom += PAGE.paginateSize) {
    const { data, totalCount } = await table.list(entity, { ...PAGE, paginateFrom, filter: { status } });
    items.push(...data);
    if (paginateFrom + PAGE.paginateSize >= totalCount) return items;
  }
}
