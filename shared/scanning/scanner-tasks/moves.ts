import { now } from '#shared/platform/runtime/clock.ts';
import { nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dequeueWrites, enqueueWrites, takeWrites } from './queue.ts';
import { scanEndTimer } from './scan-end.ts';
import { type ScannerTask, scannerTaskStates, scannerTasks } from './scanner-task.ts';
import { usageWrites } from './usage.ts';

type Verb = Parameters<
  typeof nextState<ScannerTask['status'], 'lease' | 'give back' | 'complete' | 'fail' | 'cancel'>
>[1]['verb'];
type Step = { table: Table; batch: Batch };

const stateAfter = (task: ScannerTask, verb: Verb) =>
  nextState(scannerTaskStates, { state: task.status, verb, name: 'scanner task', offers: ['cancel'] });

const update = ({ table, batch }: Step, task: ScannerTask, changes: Partial<ScannerTask>): ScannerTask =>
  batch.update(scannerTasks, task, table.changed(task, changes));

export const MAX_ATTEMPTS = 3;

type NewLease = { scanner: { id: string; name: string }; leaseExpiresAt: string; windowEndsAt?: string };

/**
 * Leases a waiting task to a scanner. The caller counts it (`usageWrites`), with the other tasks of the poll. A task
 * that returns may be taken again until the same window ends.
 */
export function lease(step: Step, task: ScannerTask, { scanner, leaseExpiresAt, windowEndsAt }: NewLease): ScannerTask {
  step.batch.write(...takeWrites(step.table.tenant, task));
  return update(step, task, {
    status: stateAfter(task, 'lease'),
    attempt: task.attempt + 1,
    scanner,
    leaseExpiresAt,
    progress: 0,
    startedAt: now(),
    error: null,
    ...(windowEndsAt && { windowEndsAt }),
  });
}

type TaskEnd = { verb: 'complete' | 'fail' | 'cancel' } & Partial<ScannerTask>;

/** Ends a task that its scanner reported, or that a person cancelled. */
export function finish(step: Step, task: ScannerTask, ending: TaskEnd): ScannerTask {
  if (task.status === 'running') step.batch.write(...usageWrites(step.table, [task], { by: -1 }));
  return end(step, task, ending);
}

function end(step: Step, task: ScannerTask, { verb, ...changes }: TaskEnd): ScannerTask {
  if (task.status === 'pending') step.batch.write(...dequeueWrites(step.table.tenant, task));
  const time = now();
  if (task.codeScan) step.batch.write(scanEndTimer(step.table, task.id));
  return update(step, task, { ...changes, status: stateAfter(task, verb), finishedAt: time, leaseExpiresAt: null });
}

/**
 * Takes unfinished tasks from a scanner: they are queued again while attempts are left, and fail otherwise. A task with
 * a requested cancellation is cancelled.
 */
export function giveBack(
  step: Step,
  tasks: readonly ScannerTask[],
  error: { code: string; message: string },
): ScannerTask[] {
  const moved = tasks.map((task) => {
    if (task.cancelRequestedAt) return end(step, task, { verb: 'cancel' });
    if (task.attempt >= task.maxAttempts) return end(step, task, { verb: 'fail', error });
    return update(step, task, {
      status: stateAfter(task, 'give back'),
      scanner: null,
      leaseExpiresAt: null,
      progress: null,
      startedAt: null,
      error,
    });
  });
  const waiting = moved.filter(({ status }) => status === 'pending');
  step.batch.write(...enqueueWrites(step.table.tenant, waiting));
  step.batch.write(...usageWrites(step.table, tasks, { by: -1 }));
  return moved;
}
