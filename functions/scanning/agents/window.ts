import { nowMs } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { DAY, HOUR, KEPT_SECONDS, RESOLUTIONS, type Resolution } from '#shared/scanning/agents/retention.ts';

/** Seconds since the epoch; `from` is the start of a minute, hour or day. */
export type Window = { resolution: Resolution; from: number; to: number };

const UNIT: Record<Resolution, number> = { minute: 60, hour: HOUR, day: DAY };
/** The longest times for which `auto` chooses a resolution: about 350 points. */
const FINEST: Record<Resolution, number> = { minute: 6 * HOUR, hour: 14 * DAY, day: Number.POSITIVE_INFINITY };

type WindowQuery = { from?: string; to?: string; resolution: Resolution | 'auto' };

/**
 * The part of the history that a query asks for, by default the last day. It begins no earlier than the kept history,
 * which bounds the answer: 2,900 points by the minute, 720 by the hour, 400 by the day.
 * @throws validation_failed when `from` is not before `to`
 */
export function windowOf(asked: WindowQuery): Window {
  const now = Math.floor(nowMs() / 1000);
  const to = asked.to === undefined ? now : seconds(asked.to);
  const from = asked.from === undefined ? to - DAY : seconds(asked.from);
  if (from >= to) throw invalid('from', 'must be before to');
  const resolution = asked.resolution === 'auto' ? fitting(now, { from, to }) : asked.resolution;
  const first = Math.max(from, now - KEPT_SECONDS[resolution]);
  return { resolution, from: first - (first % UNIT[resolution]), to: Math.min(to, now + HOUR) };
}

const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000);

const fitting = (now: number, { from, to }: { from: number; to: number }): Resolution =>
  RESOLUTIONS.find((resolution) => to - from <= FINEST[resolution] && from >= now - KEPT_SECONDS[resolution]) ?? 'day';
