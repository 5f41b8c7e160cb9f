import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import { DAYS, type Window } from './engagement-schedule.ts';
import { momentOf, wallTimeOf } from './wall-clock.ts';

/** One opening of a window in milliseconds since the epoch, the end not included. */
export type Opening = { from: number; to: number };

/** A window opens again within a week, or within two weeks if the clocks skip its hour. */
const HORIZON_DAYS = 15;

/** The openings of a window that end after `from` and begin before `to`, in order. */
function openingsOf(window: Window, { from, to }: Opening): Opening[] {
  const { days, timeZone } = window;
  const start = Math.floor(wallTimeOf(from, timeZone) / DAY_MS) - 2;
  const end = Math.floor(wallTimeOf(to, timeZone) / DAY_MS) + 1;
  const dates = Array.from({ length: Math.max(0, end - start + 1) }, (_, n) => (start + n) * DAY_MS);
  return dates
    .filter((date) => days.some((day) => DAYS[new Date(date).getUTCDay()] === day))
    .map((date) => openingOn(window, date))
    .filter((opening) => opening.from < opening.to && opening.to > from && opening.from < to);
}

/** A window that crosses midnight belongs to the day on which it begins. */
function openingOn({ from, to, timeZone }: Window, date: number): Opening {
  const [begins, ends] = [minutes(from), minutes(to)];
  const last = ends > begins ? ends : ends + 24 * 60;
  return {
    from: momentOf(date + begins * 60_000, timeZone),
    to: momentOf(date + last * 60_000, timeZone),
  };
}

const minutes = (time: string): number => {
  const [hours = 0, rest = 0] = time.split(':').map(Number);
  return hours * 60 + rest;
};

/** The time when all open windows close, undefined if none is open. Adjacent windows count as one. */
export function openUntil(windows: readonly Window[], moment: number): number | undefined {
  const near = nearby(windows, moment);
  let until: number | undefined;
  for (const { from, to } of near) if (from <= (until ?? moment) && to > (until ?? moment)) until = to;
  return until;
}

/** The openings of all windows; adjacent or overlapping openings become one, because a task runs on through them. */
export function joinedOpenings(windows: readonly Window[], span: Opening): Opening[] {
  const joined: Opening[] = [];
  for (const { from, to } of allOpenings(windows, span)) {
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** The next time when a window opens, or when the open one closes; undefined without windows. */
export function nextBoundary(windows: readonly Window[], moment: number): number | undefined {
  const until = openUntil(windows, moment);
  if (until !== undefined) return until;
  const [next] = nearby(windows, moment).filter(({ from }) => from > moment);
  return next?.from;
}

const nearby = (windows: readonly Window[], moment: number): Opening[] =>
  allOpenings(windows, { from: moment, to: moment + HORIZON_DAYS * DAY_MS });

const allOpenings = (windows: readonly Window[], span: Opening): Opening[] =>
  windows.flatMap((window) => openingsOf(window, span)).sort((a, b) => a.from - b.from || a.to - b.to);
