import * as z from 'zod';
import { Timestamp, trimmedText } from '#shared/platform/http/records.ts';

const TimeZone = z
  .string()
  .max(60)
  .refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin')
  .meta({ description: 'IANA name', example: 'Europe/Berlin' });

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

/** When an engagement runs. Without settings: once, at once. */
export const Schedule = z.object({
  startAt: Timestamp.nullable().default(null).meta({ description: 'earliest start; with a recurrence its first one' }),
  recurrence: trimmedText(300)
    .nullable()
    .default(null)
    .meta({
      description:
        'RRULE of RFC 5545 with FREQ (DAILY to YEARLY), INTERVAL, COUNT, UNTIL, WKST and, as the frequency allows, BYDAY, ' +
        'BYMONTH, BYMONTHDAY, BYSETPOS; the time of day is that of `startAt`',
      example: 'FREQ=WEEKLY;BYDAY=SU',
    }),
  timeZone: TimeZone.default('UTC'),
});
export type Schedule = z.infer<typeof Schedule>;

/** In the order of `Date.getUTCDay`. */
export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time of day such as 22:30');

/** When tasks may start, by the local time of a zone. A window that ends before it begins runs into the next day. */
export const Window = z.object({
  days: z.array(z.enum(DAYS)).min(1).max(7).meta({ description: 'the days on which it begins' }),
  from: ClockTime.meta({ example: '22:00' }),
  to: ClockTime.meta({ example: '05:00' }),
  timeZone: TimeZone.default('UTC'),
});
export type Window = z.infer<typeof Window>;
