import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import { nextBoundary, openUntil } from '#shared/scanning/schedule/windows.ts';
import type { ApexTask } from './apex-task.ts';
import { holdWrites } from './held-tasks.ts';
import { hold } from './moves.ts';

/** Whether an engagement has windows and none is open. No task starts then; a running task may finish. */
export const isOutsideWindow = ({ windows }: Pick<Engagement, 'windows'>): boolean =>
  windows.length > 0 && openUntil(windows, nowMs()) === undefined;

/** Whether one of these tasks waits for a window of its engagement and no window is open. */
export async function isHeldForWindow(table: Table, tasks: readonly HeldTask[]): Promise<boolean> {
  const held = tasks.find(({ status, waitingReason }) => status === 'pending' && waitingReason === 'outside_window');
  const engagement = held && (await table.find(engagements, held.engagementId, true));
  return engagement !== undefined && isOutsideWindow(engagement);
}

type Step = { table: Table; batch: Batch };
type HeldTask = Pick<ApexTask, 'status' | 'waitingReason' | 'engagementId'>;
type TaskOfEngagement = Pick<ApexTask, 'id' | 'engagementId'>;

/** Takes a task out of its queue until the next window opens. */
export function holdForWindow(step: Step, task: ApexTask, { windows }: Pick<Engagement, 'windows'>): void {
  hold(step, task, 'outside_window');
  wakeAtWindow(step, task, { windows });
}

/** Sets the time at which the sweeper settles a held task. */
function wakeAtWindow({ table, batch }: Step, task: TaskOfEngagement, { windows }: Pick<Engagement, 'windows'>) {
  const at = nextBoundary(windows, nowMs());
  if (at !== undefined) batch.write(...holdWrites(table, task, at));
}

/** Sets the timer of the next window again: at the time of the sweep the window was closed or moved. */
export async function waitForNextWindow(table: Table, task: HeldTask & Pick<ApexTask, 'id'>): Promise<void> {
  const engagement = await table.find(engagements, task.engagementId, true);
  const batch = table.batch();
  if (engagement) wakeAtWindow({ table, batch }, task, engagement);
  await batch.commit();
}
