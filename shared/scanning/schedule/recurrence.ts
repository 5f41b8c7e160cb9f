import * as library from 'rrule';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import type { Schedule } from './engagement-schedule.ts';
import { momentOf, type WallTime, wallTimeOf } from './wall-clock.ts';

// Node loads the package's CommonJS file, in which it finds no named exports; bundlers load its modules.
const { RRule } = (Reflect.get(library, 'default') ?? library) as typeof library;

/**
 * The parts that a rule may have, by its frequency. A rule gives at most one start a day, at the time of `startAt`. The
 * library searches until the year 9999: parts that never fit together must not make it try every day until then.
 */
const EVERYWHERE = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST'];
const PARTS: Record<string, readonly string[]> = {
  DAILY: EVERYWHERE,
  WEEKLY: [...EVERYWHERE, 'BYDAY', 'BYMONTH'],
  MONTHLY: [...EVERYWHERE, 'BYDAY', 'BYMONTH', 'BYMONTHDAY', 'BYSETPOS'],
  YEARLY: [...EVERYWHERE, 'BYDAY', 'BYMONTH', 'BYMONTHDAY', 'BYSETPOS'],
};
const AMOUNT = /^[1-9]\d{0,2}$/;

/** A rule without a start for so long counts as a rule without any start. */
const HORIZON_MS = 5 * 366 * DAY_MS;

type Anchored = Pick<Schedule, 'recurrence' | 'timeZone'> & { startAt: string };

/** The problem with a recurrence, if any. */
export function recurrenceProblem(schedule: Anchored, nowMs: number): string | undefined {
  const { recurrence } = schedule;
  if (recurrence === null) return undefined;
  const rule = new Map(recurrence.split(';').map((part) => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']));
  const allowed = PARTS[rule.get('FREQ') ?? ''];
  if (!allowed) return `must have FREQ, one of ${Object.keys(PARTS).join(', ')}`;
  const unknown = [...rule.keys()].find((name) => !allowed.includes(name));
  if (unknown !== undefined) return `must not have ${unknown}: FREQ=${rule.get('FREQ')} takes ${allowed.join(', ')}`;
  for (const name of ['INTERVAL', 'COUNT'])
    if (rule.has(name) && !AMOUNT.test(rule.get(name) ?? '')) return `${name} must be a number from 1 to 999`;
  if (rule.has('COUNT') && rule.has('UNTIL')) return 'must have COUNT or UNTIL, not both';
  try {
    // The times of a rule are whole seconds.
    const first = nextOccurrence(schedule, Math.max(nowMs, Date.parse(schedule.startAt)) - 1000);
    if (first === undefined) return 'never comes again';
    const isEndless = !rule.has('COUNT') && !rule.has('UNTIL');
    return isEndless && nextOccurrence(schedule, first) === undefined ? 'must come again within five years' : undefined;
  } catch {
    return 'must be an RRULE of RFC 5545 such as FREQ=WEEKLY;BYDAY=SU';
  }
}

/** The first time of the rule after a moment. A start at 03:00 stays at 03:00 local time when the clocks change. */
export function nextOccurrence(schedule: Anchored, after: number): number | undefined {
  const { timeZone, startAt } = schedule;
  const rule = ruleOf(schedule, Math.max(after, Date.parse(startAt)) + HORIZON_MS);
  // Two wall times may be the same moment, and two moments the same wall time: the search begins three hours earlier.
  let from: Date | null = new Date(wallTimeOf(after, timeZone) - DAY_MS / 8);
  for (;;) {
    from = rule.after(from);
    if (from === null) return undefined;
    const moment = momentOf(from.getTime(), timeZone);
    if (moment > after) return moment;
  }
}

/** The times of the rule from the start of a span until before its end, found in one pass. */
export function occurrencesIn(schedule: Anchored, { from, to }: { from: number; to: number }): number[] {
  const { timeZone } = schedule;
  const [first, last] = [wallTimeOf(from, timeZone) - DAY_MS / 8, wallTimeOf(to, timeZone) + DAY_MS / 8];
  const found = ruleOf(schedule, to + DAY_MS).between(new Date(first), new Date(last), true);
  return found.map((wall) => momentOf(wall.getTime(), timeZone)).filter((moment) => moment >= from && moment < to);
}

/** The library calculates in wall time only and needs no time zones. */
function ruleOf({ recurrence, timeZone, startAt }: Anchored, horizon: number): library.RRule {
  const options = RRule.parseString(recurrence ?? '');
  const start: WallTime = wallTimeOf(Date.parse(startAt), timeZone);
  const limit = wallTimeOf(horizon, timeZone);
  const until = options.until ? untilOf(options.until.getTime(), recurrence ?? '', timeZone) : limit;
  return new RRule({ ...options, dtstart: new Date(start), until: new Date(Math.min(until, limit)), tzid: null });
}

/** `UNTIL=...Z` is a moment, without the Z a wall time; a plain date includes the whole day. */
function untilOf(until: number, rule: string, timeZone: string): WallTime {
  if (/UNTIL=\w+Z/.test(rule)) return wallTimeOf(until, timeZone);
  return /UNTIL=\d{8}(;|$)/.test(rule) ? until + DAY_MS - 1000 : until;
}
