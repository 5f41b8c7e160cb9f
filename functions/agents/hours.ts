import type { AgentPresence } from '#shared/agents/presence.ts';

type Hours = Pick<AgentPresence, 'openHour' | 'closedHours'>;

/**
 * What the hours of a report's samples mean. The newest hour stays open; one that it closes is folded with the next
 * report that is recorded, when whoever still wrote to it while it was open has seen that it is closed; older ones are
 * folded at once.
 * @param isRecorded whether the outcome will be written down
 */
export function planHours(before: Hours, touched: readonly number[], isRecorded: boolean): Hours & { fold: number[] } {
  const openHour = Math.max(before.openHour, ...touched);
  const closes = openHour > before.openHour && before.openHour > 0;
  const due = isRecorded ? [...touched, ...before.closedHours] : touched;
  return {
    openHour,
    fold: [...new Set(due)].filter((hour) => hour !== openHour),
    closedHours: isRecorded ? (closes ? [before.openHour] : []) : before.closedHours,
  };
}
