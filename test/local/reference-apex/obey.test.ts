import { expect, test } from 'vitest';
import { obey } from '#local/reference-apex/appliance.ts';
import type { Running } from '#local/reference-apex/assess.ts';

const runningTask = (id: string): Running => ({
  task: { id, type: 'reporting', objective: 'o', targets: [], exclusions: [] },
  stop: new AbortController(),
  isPaused: false,
  progress: 0,
  step: '',
  done: Promise.resolve(),
});

test('a task is paused while the service says so, and goes on even if the appliance missed the resume command', () => {
  const [one, other] = [runningTask('one'), runningTask('other')];
  const running = new Map([one, other].map((task) => [task.task.id, task]));
  const pause = { type: 'pause', taskId: 'one', reason: 'campaign_paused' };
  obey(running, [pause]);
  obey(running, [pause]);
  expect([one.isPaused, other.isPaused]).toEqual([true, false]);
  obey(running, []);
  expect(one.isPaused).toBe(false);
  obey(running, [{ type: 'cancel', taskId: 'other', reason: 'cancelled' }]);
  expect([one.stop.signal.aborted, other.stop.signal.aborted]).toEqual([false, true]);
});
