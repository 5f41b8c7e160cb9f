import { expect, test } from 'vitest';
import { MAX_EVENTS, soonest, spanOf } from '#functions/scanning/engagement-calendar/calendar.ts';
import { feedOf } from '#functions/scanning/engagement-calendar/feed.ts';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { DAYS } from '#shared/scanning/schedule/engagement-schedule.ts';

const from = Date.parse('2025-01-01T00:00:00Z');
const year = { from, to: from + 396 * DAY_MS };
const daily = { startAt: '2024-01-01T03:00:00Z', recurrence: 'FREQ=DAILY', timeZone: 'Europe/Berlin' };
const planned = (more: object = {}) => ({
  id: newId(),
  title: 'Nightly',
  status: 'scheduled' as const,
  schedule: daily,
  windows: [],
  dueAt: null,
  nextRunAt: null,
  taskTypes: ['network' as const],
  createdAt: '2024-01-01T00:00:00.000Z',
  ...more,
});
const uidsOf = (feed: string) => feed.split('\r\n').filter((line) => line.startsWith('UID:'));

test('the calendar of a year misses no start and no window of an engagement', () => {
  const windows = [
    { days: [...DAYS], from: '22:00', to: '05:00', timeZone: 'UTC' },
    { days: ['sat' as const], from: '12:00', to: '14:00', timeZone: 'UTC' },
  ];
  const { events, isCut } = soonest([planned({ windows })], year);
  const of = (kind: string) => events.filter((event) => event.kind === kind);
  expect([isCut, of('start').length]).toEqual([false, 396]);
  expect(of('window').filter(({ startsAt }) => startsAt.includes('T22:'))).toHaveLength(397);
  expect(of('window').filter(({ startsAt }) => startsAt.includes('T12:'))).toHaveLength(57);
});

test('the calendar of many engagements has the next events in order and says that there are more', () => {
  const { events, isCut } = soonest(
    Array.from({ length: 60 }, () => planned()),
    year,
  );
  expect([isCut, events.length]).toEqual([true, MAX_EVENTS]);
  const times = events.map(({ startsAt }) => startsAt);
  expect(times).toEqual(times.toSorted());
  expect(times.at(-1)).toBe('2025-03-25T03:00:00.000Z');
});

test('a calendar program shows no event twice, and moves an event that was changed', () => {
  const windows = [
    { days: ['fri' as const], from: '22:00', to: '23:00', timeZone: 'UTC' },
    { days: ['fri' as const], from: '22:00', to: '05:00', timeZone: 'UTC' },
    { days: ['sat' as const], from: '05:00', to: '06:00', timeZone: 'UTC' },
  ];
  const { events } = soonest([planned({ windows })], { from, to: from + 7 * DAY_MS });
  expect(events.filter(({ kind }) => kind === 'window')).toMatchObject([
    { startsAt: '2025-01-03T22:00:00.000Z', endsAt: '2025-01-04T06:00:00.000Z' },
  ]);
  const uids = uidsOf(feedOf(events, '2025-01-01T00:00:00.000Z'));
  expect(new Set(uids).size).toBe(events.length);
  const once = { id: newId(), schedule: { startAt: '2025-02-01T00:00:00Z', recurrence: null, timeZone: 'UTC' } };
  const moved = { ...once, schedule: { ...once.schedule, startAt: '2025-03-01T00:00:00Z' } };
  const [before, after] = [once, moved].map((one) =>
    uidsOf(
      feedOf(soonest([planned({ ...one, dueAt: one.schedule.startAt })], year).events, '2025-01-01T00:00:00.000Z'),
    ),
  );
  expect(before).toHaveLength(2);
  expect(after).toEqual(before);
});

test('a calendar from the last days that a time can express ends with those days', () => {
  const { to } = spanOf('9999-12-20T00:00:00.000Z', undefined);
  expect(new Date(to).toISOString()).toBe('9999-12-31T23:59:59.999Z');
});
