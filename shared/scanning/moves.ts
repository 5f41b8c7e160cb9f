import { now } from '../clock.ts';
import { type ScannerTask, scannerTaskStates, scannerTasks } from '../entities/scanner-task.ts';
import { nextState } from '../state-machine.ts';
import type { Batch } from '../table/batch.ts';
import type { Table } from '../table/table.ts';
import { dequeueWrite, enqueueWrites } from './queue.ts';

type Verb = Parameters<
  typeof nextState<ScannerTask['status'], 'lease' | 'give back' | 'complete' | 'fail' | 'cancel'>
>[1]['verb'];
type Step = { table: Table; batch: Batch };

const stateAfter = (task: ScannerTask, verb: Verb) =>
  nextState(scannerTaskStates, { state: task.status, verb, name: 'scanner task' });

const update = ({ table, batch }: Step, task: ScannerTask, changes: Partial<ScannerTask>): ScannerTask =>
  batch.update(scannerTasks, task, table.changed(task, changes));

export const MAX_ATTEMPTS = 3;

/** Hands a waiting task to a scanner. */
export function lease(
  step: Step,
  task: ScannerTask,
  { scanner, leaseExpiresAt }: { scanner: { id: string; name: string }; leaseExpiresAt: string },
): ScannerTask {
  step.batch.write(dequeueWrite(step.table.scope, task));
  return update(step, task, {
    status: stateAfter(task, 'lease'),
    attempt: task.attempt + 1,
    scanner,
    leaseExpiresAt,
    progress: 0,
    startedAt: now(),
    error: null,
  });
}

/** Ends a task: as the scanner reports it, or because someone cancelled it. */
export function finish(
  step: Step,
  task: ScannerTask,
  { verb, ...changes }: { verb: 'complete' | 'fail' | 'cancel' } & Partial<ScannerTask>,
): ScannerTask {
  if (task.status === 'pending') step.batch.write(dequeueWrite(step.table.scope, task));
  const time = now();
  return update(step, task, { ...changes, status: stateAfter(task, verb), finishedAt: time, leaseExpiresAt: null });
}

/**
 * Takes tasks from a scanner that did not finish them: back into their queues while attempts are left. One that someone
 * wanted cancelled is cancelled now.
 */
export function giveBack(
  step: Step,
  tasks: readonly ScannerTask[],
  error: { code: string; message: string },
): ScannerTask[] {
  const moved = tasks.map((task) => {
    if (task.cancelRequestedAt) return finish(step, task, { verb: 'cancel' });
    if (task.attempt >= task.maxAttempts) return finish(step, task, { verb: 'fail', error });
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
  step.batch.write(...enqueueWrites(step.table.scope, waiting));
  return moved;
}
