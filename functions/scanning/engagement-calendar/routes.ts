import * as z from 'zod';
import { CAMPAIGN_STATUSES } from '#shared/apex/apex-campaign.ts';
import { orStaff, readsScans } from '#shared/platform/auth/access.ts';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post, remove } from '#shared/platform/http/route.ts';
import { ENGAGEMENT_STATUSES } from '#shared/scanning/engagements/engagement.ts';

const base = '/api/v1/validation-operations/engagements';

export const CalendarEvent = objectNamed('EngagementCalendarEvent', {
  id: z.string(),
  kind: z.enum(['start', 'window', 'due', 'campaign']),
  engagementId: Id,
  campaignId: Id.optional().meta({ description: 'the Apex campaign that starts' }),
  title: z.string(),
  status: z.enum([...new Set([...ENGAGEMENT_STATUSES, ...CAMPAIGN_STATUSES])]),
  startsAt: Timestamp,
  endsAt: Timestamp.nullable(),
});
export type CalendarEvent = z.infer<typeof CalendarEvent>;

export const engagementCalendarRoutes = defineRoutes({
  getEngagementCalendar: get(`${base}/calendar`, {
    summary: 'List the planned events of engagements: starts, windows, due dates, starts of their Apex campaigns',
    description:
      'Events are ordered by time, from `from` (default: now) to `to` (default: 31 days later, at most 400). Ended engagements ' +
      'have no events. A campaign shows its future starts, with its name and status. The service reads the newest 500 engagements ' +
      'and campaigns of each status and answers the soonest 5,000 events; `truncated` means that more events exist. Staff of the ' +
      'provider see the engagements of all clients to which they are assigned.',
    access: orStaff('pentester', readsScans),
    query: z.object({ from: Timestamp.optional(), to: Timestamp.optional() }),
    response: z.object({
      from: Timestamp,
      to: Timestamp,
      events: z.array(CalendarEvent),
      truncated: z.literal(true).optional(),
    }),
  }),
  getEngagementCalendarFeed: get(`${base}/calendar.ics`, {
    summary: 'Read the calendar as an iCalendar feed (RFC 5545), from 30 days ago to a year ahead',
    description:
      'The feed holds at most 5,000 events; past events are left out first. Calendar programs send no credential: create a feed ' +
      'with a token for them (`POST .../calendar/feed`).',
    access: orStaff('pentester', readsScans),
    response: { contentType: 'text/calendar; charset=utf-8' },
  }),
  createCalendarFeed: post(`${base}/calendar/feed`, {
    summary: 'Create the address of your calendar for a calendar program',
    description:
      'The `token` opens this feed and nothing else. The feed shows what you may see, as long as your account or API key works. A ' +
      'new address ends the previous address.',
    access: orStaff('pentester', { ...readsScans, own: true }),
    response: z.object({
      token: z.string().meta({ description: 'shown once' }),
      path: z.string().meta({ description: 'the path of the feed with the token, for a subscription' }),
    }),
    answersSecret: true,
  }),
  deleteCalendarFeed: remove(`${base}/calendar/feed`, {
    summary: 'End the address of your calendar',
    description: 'The address ends at once. Without an address nothing happens.',
    access: orStaff('pentester', readsScans),
    response: z.object({ id: z.string(), deletedAt: Timestamp }),
  }),
  readCalendarFeed: get(`${base}/calendar/feed.ics`, {
    summary: 'Read the calendar of the owner of the token, as an iCalendar feed',
    description: 'Same as `calendar.ics`, for programs that send no credential. An ended token is `unauthorized`.',
    access: 'public',
    query: z.object({
      token: z.string().min(1).max(200).meta({ description: 'the token of `POST .../calendar/feed`' }),
    }),
    response: { contentType: 'text/calendar; charset=utf-8' },
  }),
});
