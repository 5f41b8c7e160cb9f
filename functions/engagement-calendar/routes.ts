import * as z from 'zod';
import { orStaff, reads } from '#shared/auth/access.ts';
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
    summary: 'What engagements plan: starts, windows, due dates, starts of their Apex campaigns',
    description:
      'From `from` (now) to `to` (31 days later, at most 400), in order. Engagements that have ended plan nothing; of ' +
      'campaigns the starts to come, with name and status of the campaign. The newest 500 of each state are looked at, ' +
      'and the soonest 5,000 events answered; `truncated` says when there are more. Staff of the provider see the ' +
      'engagements that they are assigned to, of all clients.',
    access: orStaff(reads('scans:trigger')),
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
    summary: 'The same as an iCalendar feed (RFC 5545), from 30 days ago to a year ahead',
    description:
      'Of more than 5,000 events the next ones. Give the calendar program an API key with the scope `scans:trigger` as ' +
      'bearer token.',
    access: orStaff(reads('scans:trigger')),
    response: { contentType: 'text/calendar; charset=utf-8' },
  },
});
