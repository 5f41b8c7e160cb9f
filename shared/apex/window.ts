import { nowMs } from '../clock.ts';
import type { ApexTask } from '../entities/apex-task.ts';
import type { Engagement } from '../entities/engagement.ts';
import { putAlarm } from '../machines/alarms.ts';
import { nextBoundary, openUntil } from '../schedule/windows.ts';
import type { Batch } from '../table/batch.ts';
import type { Table } from '../table/table.ts';
import { hold } from './moves.ts';

/** Whether the engagement has windows and none is open: no task starts then; one that runs at a window's end finishes. */
export const isOutsideWindow = ({ windows }: Pick<Engagement, 'windows'>): boolean =>
  windows.length > 0 && openUntil(windows, nowMs()) === undefined;

/** Takes a task out of its queue until the next window opens. */
export function holdForWindow(
  step: { table: Table; batch: Batch },
  task: ApexTask,
  { windows }: Pick<Engagement, 'windows'>,
): void {
  hold(step, task, 'outside_window');
  const at = nextBoundary(windows, nowMs());
  const { organizationId } = step.table;
  if (at !== undefined) step.batch.write(putAlarm({ at, kind: 'apex-task', organizationId, id: task.id }));
}
