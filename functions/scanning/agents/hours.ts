import type { AgentPresence } from '#shared/scanning/agents/presence.ts';

type Hours = Pick<AgentPresence, 'openHour' | 'closedHours'>;

/**
 * Plans the folding of the hours of a report. The newest hour stays open. Older hours are folded at once. The hour that
 * a newer one has just closed is folded with the next recorded report: by then no report that saw it open still adds to
 * it.
 * @param isRecorded whether the presence will be written
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
