import * as z from 'zod';
import { reads, writes } from '#shared/platform/auth/access.ts';
import { Listing, numberIn, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, Id, objectNamed, patchBody, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, remove } from '#shared/platform/http/route.ts';
import { EVENT_CONDITIONS } from '#shared/soc/hunting/conditions.ts';
import { SiemEvent } from '#shared/soc/siem/event.ts';
import { SiemSource, SiemSourceView, SOURCE_STATUSES } from '#shared/soc/siem/siem-source.ts';
import { collectorRoutes } from './collector-routes.ts';

const Count = z.int().nonnegative();

const cursor = z
  .string()
  .max(500)
  .optional()
  .meta({ description: 'the `cursor` of an earlier answer to the same search, which continues after it' });

const EventsQuery = z.object({
  ...EVENT_CONDITIONS,
  limit: numberIn(z.int().min(1).max(500)).default(50).meta({ description: 'maximum number of events in an answer' }),
  cursor,
});
export type EventsQuery = z.output<typeof EventsQuery>;

const Histogram = objectNamed('SiemHistogram', {
  intervalSeconds: z.union([z.literal(60), z.literal(3600)]),
  isComplete: z.boolean().meta({ description: 'false: it counts only the events that this answer looked at' }),
  buckets: z.array(z.object({ at: Timestamp, count: Count })).meta({ description: 'oldest first, without empty ones' }),
});

/** Events that a search found. */
export const EventsFound = objectNamed('SiemEventsFound', {
  from: Timestamp,
  to: Timestamp,
  data: z.array(SiemEvent.extend({ id: z.string() })),
  cursor: z.string().nullable().meta({ description: 'null: all of the time range was looked at' }),
  isComplete: z.boolean().meta({
    description: 'false: there may be further events; ask again with `cursor`, also where `data` is empty',
  }),
  histogram: Histogram,
  read: z.object({ segments: Count, skipped: Count }).meta({
    description: 'segments that were read, and those that their words or numbers ruled out',
  }),
});
export type EventsFound = z.infer<typeof EventsFound>;

const ValuesQuery = z.object({
  ...EVENT_CONDITIONS,
  field: trimmedText(200).meta({
    description: 'a field of the events by its name in any letter case, or `host`, `user`, `severity`, `product` ...',
    example: 'host',
  }),
  limit: numberIn(z.int().min(1).max(1_000)).default(20).meta({ description: 'maximum number of values in an answer' }),
  cursor,
});
export type ValuesQuery = z.output<typeof ValuesQuery>;

/** The values of a field in the events that fit. */
export const EventValues = objectNamed('SiemEventValues', {
  field: z.string(),
  from: Timestamp,
  to: Timestamp,
  values: z.array(z.object({ value: z.string(), count: Count })).meta({
    description:
      'the most frequent first; an event with several values counts for each; values are cut at 200 characters',
  }),
  distinct: Count.meta({ description: 'different values; further ones beyond 20,000 are not counted' }),
  events: Count.meta({ description: 'events that this answer counted' }),
  withField: Count.meta({ description: 'how many of them have the field' }),
  isComplete: z.boolean().meta({ description: 'true: all values of all events of the time range are counted' }),
  reached: Timestamp.meta({ description: 'the counts are exact for the events from `to` back to about this time' }),
  cursor: z.string().nullable().meta({ description: 'counts the events behind; add the counts up' }),
});
export type EventValues = z.infer<typeof EventValues>;

const EventsEstimate = objectNamed('SiemEventsEstimate', {
  from: Timestamp,
  to: Timestamp,
  events: Count.meta({ description: 'events of the time range and source, by the counts of their hours' }),
  segments: Count,
  seconds: Count.meta({ description: 'about how long an export or a hunt takes that looks at all of them' }),
});
export type EventsEstimate = z.infer<typeof EventsEstimate>;

const events = '/api/v1/siem/events';
const sources = '/api/v1/siem/sources';

const quiet = z
  .enum(['true', 'false'])
  .optional()
  .meta({ description: '`true`: sources that sent no events within 24 hours' });

export const siemRoutes = defineRoutes({
  searchEvents: get(events, {
    summary: 'Search the events of logs, newest first',
    description:
      'The filters combine. `from` is included and `to` is not. An answer reads a bounded part of the events: if this part ends ' +
      'before the time range does, `isComplete` is false, and `cursor` continues the search. If more than 32 segments of the same ' +
      'time have to be read, the next answer may begin with events that are as new as the last events of this answer. The ' +
      'histogram counts whole minutes, or whole hours for ranges over two days, including the minutes or hours at the ends of the ' +
      'range. Without `host`, `user`, `search`, `ruleId` and `alertId` the histogram is exact. With `ruleId` the search tries a rule on ' +
      'the past: an answer tries it on 100,000 events at most, and `cursor` continues.',
    access: reads('soc:read'),
    query: EventsQuery,
    response: EventsFound,
  }),
  countEventValues: get(`${events}/values`, {
    summary: 'Count the values of a field in the events that fit',
    description:
      'The filters are those of the search. An answer reads a bounded part of the events, newest first, and counts exactly what it ' +
      'read: `reached` is the time that it came to, and `cursor` counts the events behind it.',
    access: reads('soc:read'),
    query: ValuesQuery,
    response: EventValues,
  }),
  estimateEvents: get(`${events}/estimate`, {
    summary: 'Estimate how many events an export or a hunt looks at',
    description: 'The numbers come from counters: no event is read. Words, hosts and rules may leave out most of it.',
    access: reads('soc:read'),
    query: z.object(EVENT_CONDITIONS),
    response: EventsEstimate,
  }),
  listSources: get(sources, {
    summary: 'List the sources of events with their volume, newest first',
    description:
      'The first batch of a source creates it, or its collector declares it. A source is `silent` once `expectedEverySeconds` have ' +
      'passed since its last batch. The filters combine.',
    access: reads('soc:read'),
    query: Listing.extend({ status: z.enum(SOURCE_STATUSES).optional(), collectorId: Id.optional(), quiet }),
    response: pageOf(SiemSourceView),
  }),
  searchSources: get(`${sources}/search`, {
    summary: 'Search sources by the words of their name, kind and format',
    description: 'Each word must be the beginning of a word of the source.',
    access: reads('soc:read'),
    query: SearchQuery,
    response: searchPageOf(SiemSourceView),
  }),
  getSource: get(`${sources}/{id}`, {
    summary: 'Read a source of events',
    description:
      '`events24h` and `bytes24h` count events by their time, for the current hour (UTC) and the previous 23 hours.',
    access: reads('soc:read'),
    response: SiemSourceView,
  }),
  updateSource: patch(`${sources}/{id}`, {
    summary: 'Change the time after which a source is silent, and whether silence raises an alert',
    description:
      'A merge patch. The new time counts from the last batch, so the source may become silent or active at once.',
    access: writes('soc:write'),
    body: patchBody(SiemSource),
    response: SiemSourceView,
  }),
  deleteSource: remove(`${sources}/{id}`, {
    summary: 'Delete a source that no longer sends events',
    description:
      'Its events stay until the end of their retention. A further batch creates a new source of the same name.',
    access: writes('soc:write'),
    response: Deletion,
  }),
  ...collectorRoutes,
});
