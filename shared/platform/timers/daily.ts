import { createHash } from 'node:crypto';
import { DAY_MS, nowMs } from '../runtime/clock.ts';
import type { Timer, TimerKind } from './timers.ts';

/**
 * Goes off once a day for an organization, at its own moment. Everyone who puts the timer of a day writes the same row,
 * so that nobody needs to know whether it exists.
 */
export function dailyTimer(kind: TimerKind, { organizationId }: { organizationId: string }): Omit<Timer, 'shard'> {
  const moment = createHash('sha1').update(organizationId).digest().readUInt32BE(0) % DAY_MS;
  const at = (Math.floor(nowMs() / DAY_MS) + 1) * DAY_MS + moment;
  return { kind, at, organizationId, id: organizationId };
}
