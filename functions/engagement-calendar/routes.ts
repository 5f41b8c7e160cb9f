import * as z from 'zod';
import { orStaff, readsScans } from '#shared/auth/access.ts';
import { CAMPAIGN_STATUSES } from '#shared/entities/apex-campaign.ts';
import { ENGAGEMENT_STATUSES } from '#shared/entities/engagement.ts';
import { Id, Timestamp } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';

const base = '/api/v1/validation-operations/engagements';

export const CalendarEvent = z
  .object({
    id: z.string(),
    kind: z.enum(['start', 'window', 'due', 'campaign']),
    engagementId: Id,
    campaignId: Id.optional().meta({ description: 'the Apex campaign that starts' }),
    title: z.string(),
    status: z.enum([...new Set([...ENGAGEMENT_STATUSES, ...CAMPAIGN_STATUSES])]),
    startsAt: Timestamp,
    endsAt: Timestamp.nullable(),
  })
  .meta({ id: 'EngagementCalendarEvent' });
export type CalendarEvent = z.infer<typeof CalendarEvent>;

export const engagementCalendarRoutes = defineRoutes({
  getEngagementCalendar: {
    method: 'GET',
    path: `${base}/calendar`,
    summary: 'List what engagements plan: starts, windows, due dates, starts of their Apex campaigns',
    description:
      'Events are in order, from `from` (default: now) to `to` (default: 31 days later, at most 400). Engagements that ' +
      'have ended plan nothing. A campaign shows its future starts, with its name and status. The service reads the ' +
      'newest 500 engagements and campaigns of each state and answers the soonest 5,000 events; `truncated` means that ' +
      'there are more. Staff of the provider see the engagements of all clients to which they are assigned.',
    access: orStaff(readsScans),
    query: z.object({ from: Timestamp.optional(), to: Timestamp.optional() }),
    response: z.object({
      from: Timestamp,
      to: Timestamp,
      events: z.array(CalendarEvent),
      truncated: z.literal(true).optional(),
    }),
  },
  getEngagementCalendarFeed: {
    method: 'GET',
    path: `${base}/calendar.ics`,
    summary: 'Read the calendar as an iCalendar feed (RFC 5545), from 30 days ago to a year ahead',
    description:
      'The feed holds at most 5,000 events; past events are left out first. Give the calendar program an API key with ' +
      'the scope `findings:read` as bearer token.',
    access: orStaff(readsScans),
    response: { contentType: 'text/calendar; charset=utf-8' },
  },
});
