import { afterAll, beforeEach, expect, test } from 'vitest';
import { now, setClock } from '#shared/platform/runtime/clock.ts';
import { firstStart, startAfter, startsNow } from '#shared/scanning/engagements/runs.ts';
import { stopClock } from '../../../support/scanning-world.ts';

const CREATED = '2025-03-03T10:00:00.000Z';
const NOW = '2025-03-05T10:00:00.000Z';
beforeEach(() => void stopClock(Date.parse(NOW)));
afterAll(() => setClock());

const plan = (startAt: string | null, recurrence: string | null = null, createdAt = CREATED) =>
  ({ schedule: { startAt, recurrence, timeZone: 'UTC' }, createdAt }) as Parameters<typeof firstStart>[0];
const day = (date: number) => `2025-03-${String(date).padStart(2, '0')}T10:00:00.000Z`;

test.each([
  ['once, later', plan(day(6)), day(6)],
  ['once, at this moment', plan(day(5)), null],
  ['once, before', plan(day(4)), null],
  ['once, when it was made', plan(null), null],
  ['daily, from before', plan(day(1), 'FREQ=DAILY'), day(6)],
  ['daily, since it was made', plan(null, 'FREQ=DAILY'), day(6)],
  ['twice, and both are over', plan(day(1), 'FREQ=DAILY;COUNT=2'), null],
  ['weekly, from later', plan(day(8), 'FREQ=WEEKLY'), day(8)],
] as const)('after now an engagement starts: %s', (_, engagement, start) => {
  expect(startAfter(engagement, Date.parse(NOW))).toBe(start);
});

test.each([
  ['at once if nothing says when', plan(null), NOW],
  ['at once if its time has passed', plan(day(4)), NOW],
  ['at its time if that comes', plan(day(6)), day(6)],
  ['at once if it recurs from its creation', plan(null, 'FREQ=WEEKLY'), NOW],
  ['at once if it recurs from its creation, which is now', plan(null, 'FREQ=WEEKLY', NOW), NOW],
  ['at its first time if no day of its rule has come yet', plan(null, 'FREQ=WEEKLY;BYDAY=FR'), day(7)],
  ['at the next time if it recurs from a time that has passed', plan(day(4), 'FREQ=WEEKLY'), day(11)],
  ['at its first time if it recurs from later', plan(day(6), 'FREQ=WEEKLY'), day(6)],
  ['at once if all of its times have passed', plan(day(1), 'FREQ=DAILY;COUNT=2'), NOW],
] as const)('an engagement that is approved now starts %s', (_, engagement, start) => {
  expect(firstStart(engagement)).toBe(start);
});

test.each<[string, object, boolean]>([
  ['begins a run at once', {}, true],
  ['of people begins none', { taskTypes: [] }, false],
  ['that has run before begins none', { runs: 1 }, false],
  ['that is not approved yet begins none', { status: 'requested' }, false],
  ['that is scheduled already begins none', { status: 'scheduled' }, false],
  ['with a later start begins none', plan(day(6)), false],
])('an approved engagement %s', (_, more, starts) => {
  const approved = { ...plan(null), status: 'approved', taskTypes: ['network'], runs: 0, ...more };
  expect(startsNow(approved as never)).toBe(starts);
  expect(now()).toBe(NOW);
});
