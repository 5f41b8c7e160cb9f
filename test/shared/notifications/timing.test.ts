import { expect, test } from 'vitest';
import { dueAt } from '#shared/notifications/timing.ts';

type Wish = Parameters<typeof dueAt>[0];
type Some = Partial<Omit<Wish, 'timing'>> & { timing?: Partial<Wish['timing']> };
type Case = [about: string, wish: Some, timeZone: string, at: string, due: string];

const daily = { when: 'daily', at: '08:00' } as const;
const night = { from: '20:00', to: '07:00' };

const cases: Case[] = [
  ['at once, some seconds later', {}, 'Europe/Berlin', '2026-06-01T10:00:00Z', '2026-06-01T10:00:20Z'],
  ['at once in the inbox', { channels: ['inbox'] }, 'UTC', '2026-06-01T10:00:00Z', '2026-06-01T10:00:00Z'],
  [
    'hourly, at the full local hour',
    { timing: { when: 'hourly' } },
    'Asia/Kolkata',
    '2026-06-01T10:10:00Z',
    '2026-06-01T10:30:00Z',
  ],
  [
    'daily, before the clocks go forward',
    { timing: daily },
    'Europe/Berlin',
    '2026-03-28T06:00:00Z',
    '2026-03-28T07:00:00Z',
  ],
  [
    'daily, on the day when they went forward',
    { timing: daily },
    'Europe/Berlin',
    '2026-03-28T12:00:00Z',
    '2026-03-29T06:00:00Z',
  ],
  [
    'daily, on the day when they went back',
    { timing: daily },
    'America/New_York',
    '2026-10-31T20:00:00Z',
    '2026-11-01T13:00:00Z',
  ],
  [
    'daily, at a time that the clocks skip',
    { timing: { ...daily, at: '02:30' } },
    'Europe/Berlin',
    '2026-03-28T12:00:00Z',
    '2026-03-29T01:30:00Z',
  ],
  ['daily, a moment after it', { timing: daily }, 'UTC', '2026-06-01T08:00:00Z', '2026-06-02T08:00:00Z'],
  [
    'weekly, over the change',
    { timing: { when: 'weekly', at: '08:00', weekday: 'monday' } },
    'Europe/Berlin',
    '2026-10-24T12:00:00Z',
    '2026-10-26T07:00:00Z',
  ],
  [
    'weekly, on the day itself but later',
    { timing: { when: 'weekly', at: '08:00', weekday: 'monday' } },
    'UTC',
    '2026-06-01T09:00:00Z',
    '2026-06-08T08:00:00Z',
  ],
  [
    'in quiet hours of the evening',
    { quietHours: night },
    'Europe/Berlin',
    '2026-06-01T19:00:00Z',
    '2026-06-02T05:00:00Z',
  ],
  [
    'in quiet hours after midnight',
    { quietHours: night },
    'Europe/Berlin',
    '2026-06-01T23:00:00Z',
    '2026-06-02T05:00:00Z',
  ],
  [
    'in quiet hours in which the clocks change',
    { quietHours: night },
    'Europe/Berlin',
    '2026-03-28T22:00:00Z',
    '2026-03-29T05:00:00Z',
  ],
  [
    'in quiet hours of the day',
    { quietHours: { from: '12:00', to: '13:00' } },
    'UTC',
    '2026-06-01T12:30:00Z',
    '2026-06-01T13:00:00Z',
  ],
  ['beside quiet hours', { quietHours: night }, 'UTC', '2026-06-01T10:00:00Z', '2026-06-01T10:00:20Z'],
];

test.each(cases)('a message comes %s', (_, wish, timeZone, at, due) => {
  const timing = { when: 'at_once', at: '08:00', weekday: 'monday', ...wish.timing } as const;
  const whole = { channels: ['email'], quietHours: null, ...wish, timing };
  expect(new Date(dueAt(whole, { at: Date.parse(at), timeZone }))).toEqual(new Date(due));
});
