import * as z from 'zod';
import { ENGAGEMENT_STATUSES } from '#shared/entities/engagement.ts';
import { EngagementNote, WorkEntry } from '#shared/entities/engagement-log.ts';
import { Pagination, pageOf } from '#shared/http/pagination.ts';
import { createBody, Id, Timestamp } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';

export const base = '/api/v1/validation-operations/engagements';
export const reading = { role: 'viewer', scope: 'scans:trigger' } as const;
export const writing = { role: 'analyst', scope: 'scans:trigger' } as const;
const Deleted = z.object({ id: Id, deletedAt: Timestamp });

export const CalendarEvent = z
  .object({
    id: z.string(),
    kind: z.enum(['start', 'window', 'due']),
    engagementId: Id,
    title: z.string(),
    status: z.enum(ENGAGEMENT_STATUSES),
    startsAt: Timestamp,
    endsAt: Timestamp.nullable(),
  })
  .meta({ id: 'EngagementCalendarEvent' });
export type CalendarEvent = z.infer<typeof CalendarEvent>;

/** What people write about an engagement, and when it is planned. */
export const engagementLogRoutes = defineRoutes({
  getEngagementCalendar: {
    method: 'GET',
    path: `${base}/calendar`,
    summary: 'What engagements plan: starts, windows, due dates',
    description:
      'From `from` (now) to `to` (31 days later, at most 400), in order. Engagements that have ended plan nothing. The ' +
      'newest 500 engagements of each state are looked at; `truncated` says when there are more.',
    access: reading,
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
    description: 'Give the calendar program an API key with the scope `scans:trigger` as bearer token.',
    access: reading,
    response: { contentType: 'text/calendar; charset=utf-8' },
  },
  listEngagementNotes: {
    method: 'GET',
    path: `${base}/{id}/notes`,
    summary: 'List the notes of an engagement, newest first',
    access: reading,
    query: Pagination,
    response: pageOf(EngagementNote),
  },
  createEngagementNote: {
    method: 'POST',
    path: `${base}/{id}/notes`,
    summary: 'Note something about an engagement',
    access: writing,
    body: createBody(EngagementNote, ['text']),
    response: EngagementNote,
  },
  deleteEngagementNote: {
    method: 'DELETE',
    path: `${base}/{id}/notes/{noteId}`,
    summary: 'Remove a note',
    access: writing,
    response: Deleted,
  },
  listWorkEntries: {
    method: 'GET',
    path: `${base}/{id}/work-entries`,
    summary: 'List the work done for an engagement, newest first, with the minutes of all of it',
    access: reading,
    query: Pagination,
    response: pageOf(WorkEntry).extend({ totalMinutes: z.int().nonnegative() }),
  },
  createWorkEntry: {
    method: 'POST',
    path: `${base}/{id}/work-entries`,
    summary: 'Enter work done for an engagement',
    access: writing,
    body: createBody(WorkEntry, ['personId', 'minutes', 'what', 'date']),
    response: WorkEntry,
  },
  deleteWorkEntry: {
    method: 'DELETE',
    path: `${base}/{id}/work-entries/{entryId}`,
    summary: 'Remove a work entry',
    access: writing,
    response: Deleted,
  },
});
