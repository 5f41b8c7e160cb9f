import type { Handlers } from '#shared/http/route.ts';
import { DAY_MS, now, nowMs } from '#shared/runtime/clock.ts';
import { readEvents, spanOf } from './calendar.ts';
import { feedOf } from './feed.ts';
import type { engagementCalendarRoutes } from './routes.ts';

export const engagementCalendarHandlers: Handlers<typeof engagementCalendarRoutes> = {
  async getEngagementCalendar({ table, caller, query }) {
    const span = spanOf(query.from, query.to);
    const times = { from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() };
    return { ...times, ...(await readEvents({ table, caller }, span)) };
  },

  async getEngagementCalendarFeed({ table, caller }) {
    const at = nowMs();
    const span = { from: at - 30 * DAY_MS, to: at + 366 * DAY_MS };
    const whole = await readEvents({ table, caller }, span);
    // If not everything fits, past events are left out.
    const { events } = whole.truncated ? await readEvents({ table, caller }, { ...span, from: at }) : whole;
    return { contentType: 'text/calendar; charset=utf-8', body: feedOf(events, now()) };
  },
};
