import type { Handlers, RawAnswer } from '#shared/platform/http/route.ts';
import { DAY_MS, now, nowMs } from '#shared/platform/runtime/clock.ts';
import { type Reader, readEvents, spanOf } from './calendar.ts';
import { feedOf } from './feed.ts';
import { endFeedToken, issueFeedToken, readerOf } from './feed-token.ts';
import { engagementCalendarRoutes } from './routes.ts';

export const engagementCalendarHandlers: Handlers<typeof engagementCalendarRoutes> = {
  async getEngagementCalendar({ table, caller, query }) {
    const span = spanOf(query.from, query.to);
    const times = { from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() };
    return { ...times, ...(await readEvents({ table, caller }, span)) };
  },

  getEngagementCalendarFeed: ({ table, caller }) => feedFor({ table, caller }),

  async createCalendarFeed({ table, caller }) {
    const token = await issueFeedToken(table, caller);
    return { token, path: `${engagementCalendarRoutes.readCalendarFeed.path}?token=${token}` };
  },

  deleteCalendarFeed: ({ table, caller }) => endFeedToken(table, caller),

  readCalendarFeed: async ({ connections, query }) => feedFor(await readerOf(connections.dynamo, query.token)),
};

async function feedFor(reader: Reader): Promise<RawAnswer> {
  const at = nowMs();
  const span = { from: at - 30 * DAY_MS, to: at + 366 * DAY_MS };
  const whole = await readEvents(reader, span);
  // If not everything fits, past events are left out.
  const { events } = whole.truncated ? await readEvents(reader, { ...span, from: at }) : whole;
  return { contentType: 'text/calendar; charset=utf-8', body: feedOf(events, now()) };
}
