import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { moveTimer, type Timer } from '#shared/platform/timers/timers.ts';

/** People hear of the end of an acceptance so many days before. */
const NOTICE_DAYS = [30, 7];

/** When people hear next of an acceptance that ends at this time; undefined: they do no more. */
export const nextNotice = (end: number, after: number): number | undefined =>
  NOTICE_DAYS.map((days) => end - days * DAY_MS).find((at) => at > after);

type EndTimer = Pick<Timer, 'kind' | 'organizationId' | 'id'>;

/** Moves the timer at the end of an acceptance, and with it the timer of the next notice: for the transaction that changes the end. */
export function moveEnd(timer: EndTimer, was: number | undefined, is: number | undefined): Write[] {
  if (was === is) return [];
  const notice = (end: number | undefined) => (end === undefined ? undefined : nextNotice(end, nowMs()));
  return [...moveTimer(timer, was, is), ...moveTimer({ ...timer, kind: 'acceptance-notice' }, notice(was), notice(is))];
}

/** Whether a notice of an acceptance that ends at this time is due at that moment: its end may have moved since. */
export const isNoticeOf = (end: number, at: number): boolean => NOTICE_DAYS.some((days) => end - days * DAY_MS === at);
