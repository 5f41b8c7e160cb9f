import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import { momentOf, wallTimeOf } from '#shared/scanning/schedule/wall-clock.ts';

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 08:00');

/** In the order of `Date.getUTCDay`. */
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

export const Timing = objectNamed('NotificationTiming', {
  when: z.enum(['at_once', 'hourly', 'daily', 'weekly']).default('at_once').meta({
    description: '`at_once`: within two minutes; otherwise a digest of what happened meanwhile',
  }),
  at: ClockTime.default('08:00').meta({ description: 'the local time of a daily or weekly digest' }),
  weekday: z.enum(WEEKDAYS).default('monday').meta({ description: 'the day of a weekly digest' }),
});

export const QuietHours = objectNamed('QuietHours', {
  from: ClockTime.meta({ example: '20:00' }),
  to: ClockTime.meta({ example: '07:00' }),
}).refine(({ from, to }) => from !== to, { path: ['to'], message: 'must be another time than from' });

type Wish = {
  channels: readonly string[];
  timing: z.infer<typeof Timing>;
  quietHours: z.infer<typeof QuietHours> | null;
};

const HOUR_MS = 3_600_000;
const millisecondsOf = (clock: string): number => Number(clock.slice(0, 2)) * HOUR_MS + Number(clock.slice(3)) * 60_000;

/** Changes that belong together, such as a hundred assignments, come within seconds: a letter and a post wait for them. */
export const SETTLE_MS = 20_000;

/**
 * When a message about something that happens now is sent, in milliseconds since the epoch. A local time stays the same when the
 * clocks change; what falls into quiet hours waits for their end.
 */
export function dueAt(
  { channels, timing, quietHours }: Wish,
  { at, timeZone }: { at: number; timeZone: string },
): number {
  const soon = channels.every((channel) => channel === 'inbox') ? at : at + SETTLE_MS;
  const due = timing.when === 'at_once' ? soon : digestAfter(timing, at, timeZone);
  return quietHours ? afterQuiet(quietHours, due, timeZone) : due;
}

function digestAfter({ when, at: clock, weekday }: Wish['timing'], at: number, timeZone: string): number {
  const wall = wallTimeOf(at, timeZone);
  if (when === 'hourly') return at + HOUR_MS - (wall % HOUR_MS);
  const midnight = wall - (wall % DAY_MS);
  const days = when === 'daily' ? 0 : (WEEKDAYS.indexOf(weekday) - new Date(midnight).getUTCDay() + 7) % 7;
  const first = midnight + days * DAY_MS + millisecondsOf(clock);
  const moments = [0, when === 'daily' ? DAY_MS : 7 * DAY_MS].map((more) => momentOf(first + more, timeZone));
  return moments.find((moment) => moment > at) ?? at + DAY_MS;
}

function afterQuiet({ from, to }: NonNullable<Wish['quietHours']>, due: number, timeZone: string): number {
  const wall = wallTimeOf(due, timeZone);
  const [time, begin, end] = [wall % DAY_MS, millisecondsOf(from), millisecondsOf(to)];
  const isQuiet = begin < end ? time >= begin && time < end : time >= begin || time < end;
  if (!isQuiet) return due;
  return momentOf(wall - time + end + (time < end ? 0 : DAY_MS), timeZone);
}
