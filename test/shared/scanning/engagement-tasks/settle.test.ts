import { expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { stateByTasks, statusByTasks } from '#shared/scanning/engagement-tasks/settle.ts';
import type { Engagement } from '#shared/scanning/engagements/engagement.ts';

type Run = NonNullable<Engagement['lastRun']>;
const runOf = (status: Run['status'], before: Partial<Run['tasksBefore']> = {}): Run => ({
  id: newId(),
  taskId: newId(),
  status,
  startedAt: '2026-12-01T00:00:00.000Z',
  finishedAt: null,
  tasksBefore: { completed: 0, failed: 0, cancelled: 0, ...before },
});

const NEXT = '2027-01-01T00:00:00.000Z';
const running = runOf('running');
const second = runOf('running', { completed: 2, failed: 1, cancelled: 1 });
const before = { completed: 2, failed: 1, cancelled: 1 };

test.each([
  ['without a run is decided by no task', 'scheduled', null, null, { completed: 2 }, 'scheduled', undefined],
  ['whose run is over stays as it is', 'scheduled', runOf('completed'), NEXT, { failed: 1 }, 'scheduled', 'completed'],
  ['begins with its first running task', 'scheduled', running, null, { pending: 1, running: 1 }, 'running', 'running'],
  ['waits while all of its tasks wait', 'scheduled', running, null, { pending: 2 }, 'scheduled', 'running'],
  ['goes on while a task waits', 'running', running, null, { completed: 1, pending: 1 }, 'running', 'running'],
  ['is completed with its last task', 'running', running, null, { completed: 1, failed: 1 }, 'completed', 'completed'],
  ['fails when no task could be completed', 'running', running, null, { failed: 1, cancelled: 1 }, 'failed', 'failed'],
  ['is cancelled with all of its tasks', 'running', running, null, { cancelled: 1 }, 'cancelled', 'cancelled'],
  ['that recurs waits for its next run', 'running', running, NEXT, { completed: 1 }, 'scheduled', 'completed'],
  ['that recurs waits also after a failure', 'running', running, NEXT, { failed: 1 }, 'scheduled', 'failed'],
  ['that was cancelled waits for what runs', 'cancelled', running, null, { running: 1 }, 'cancelled', 'running'],
  ['that was cancelled waits for what waits', 'cancelled', running, null, { pending: 1 }, 'cancelled', 'running'],
  ['that was cancelled ends its run', 'cancelled', running, null, { completed: 1 }, 'cancelled', 'completed'],
  [
    'that was cancelled before its tasks were made has no open run',
    'cancelled',
    running,
    null,
    {},
    'cancelled',
    'cancelled',
  ],
  ['is not ended by tasks of an earlier run', 'scheduled', second, null, before, 'scheduled', 'running'],
  [
    'is not begun by tasks of an earlier run',
    'scheduled',
    second,
    null,
    { ...before, pending: 1 },
    'scheduled',
    'running',
  ],
  [
    'begins with a task of the present run',
    'scheduled',
    second,
    null,
    { ...before, pending: 1, failed: 2 },
    'running',
    'running',
  ],
  [
    'fails also after an earlier run was completed',
    'running',
    second,
    null,
    { ...before, failed: 2 },
    'failed',
    'failed',
  ],
  [
    'is cancelled also after an earlier run failed',
    'running',
    second,
    null,
    { ...before, cancelled: 2 },
    'cancelled',
    'cancelled',
  ],
  [
    'is completed also after an earlier run failed',
    'running',
    second,
    null,
    { ...before, completed: 3 },
    'completed',
    'completed',
  ],
] as const)('an engagement %s', (_, status, lastRun, nextRunAt, counts, next, run) => {
  expect(stateByTasks({ status, lastRun, nextRunAt }, counts)).toEqual({ status: next, run });
});

test.each(['requested', 'approved'] as const)('tasks decide nothing of an engagement that is %s', (status) => {
  for (const name of ['running', 'completed', 'failed']) expect(statusByTasks(status, { [name]: 1 })).toBe(status);
});
