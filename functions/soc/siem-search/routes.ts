import * as z from 'zod';
import { reads } from '#shared/platform/auth/access.ts';
import { EXPORT_DAYS, ExportedFile, followedExport, queuedExport } from '#shared/platform/exports/export.ts';
import { numberIn } from '#shared/platform/http/pagination.ts';
import { objectNamed, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';
import { Task } from '#shared/platform/jobs/task.ts';
import { WaitSeconds } from '#shared/platform/jobs/wait.ts';
import { EVENT_CONDITIONS } from '#shared/soc/hunting/conditions.ts';
import { EventExportResult, EventsExport, HUNTED_RULES } from '#shared/soc/hunting/export.ts';
import { SiemEvent } from '#shared/soc/siem/event.ts';

const events = '/api/v1/siem/events';
const path = `${events}/export`;

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
  seconds: Count.meta({
    description:
      'about how long an export or a hunt that looks at all of them takes, where nothing else occupies its processor',
  }),
});
export const EstimateQuery = z.object({
  ...EVENT_CONDITIONS,
  rules: z
    .enum(['one', ...HUNTED_RULES])
    .optional()
    .meta({
      description: 'the rules of a hunt: `one` whose text it has in `content`, or those that are on, off, or all',
    }),
});

export type EventsEstimate = z.infer<typeof EventsEstimate>;

const ExportedEvents = z
  .object({ ...ExportedFile.shape, ...EventExportResult.omit({ format: true }).shape })
  .meta({ id: 'SiemEventsFile' });
const EventsExportAnswer = followedExport(ExportedEvents).meta({ id: 'SiemEventsExportAnswer' });
const EventsExportQueued = queuedExport(ExportedEvents).meta({ id: 'SiemEventsExportQueued' });

/** The reason for which a role for a part of the organization opens no events. */
const closedToPart = 'the events of all sources are stored together';

export const siemSearchRoutes = defineRoutes({
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
    closedToPart,
    query: EventsQuery,
    response: EventsFound,
  }),
  countEventValues: get(`${events}/values`, {
    summary: 'Count the values of a field in the events that fit',
    description:
      'The filters are those of the search. An answer reads a bounded part of the events, newest first, and counts exactly what it ' +
      'read: `reached` is the time that it came to, and `cursor` counts the events behind it.',
    access: reads('soc:read'),
    closedToPart,
    query: ValuesQuery,
    response: EventValues,
  }),
  estimateEvents: get(`${events}/estimate`, {
    summary: 'Estimate how many events an export or a hunt looks at',
    description: 'The numbers come from counters: no event is read. Words, hosts and rules may leave out most of it.',
    access: reads('soc:read'),
    closedToPart,
    query: EstimateQuery,
    response: EventsEstimate,
  }),
  exportEvents: post(path, {
    summary: 'Export the events that fit as CSV or JSON lines, or try a rule on all of them',
    description:
      'A queued task writes all events that fit into a file, newest first. With `ruleId`, or the text of a new rule in `content`, this ' +
      'hunts on the past: the task tries the rule on each stored event, and its result counts and shows the events that match. ' +
      `\`GET ${path}/{taskId}\` has the progress, the result and the address of the file.`,
    access: reads('soc:read'),
    closedToPart,
    readOnly: true,
    query: z.object({ waitSeconds: WaitSeconds }),
    body: EventsExport,
    response: EventsExportQueued,
  }),
  getEventsExport: get(`${path}/{taskId}`, {
    summary: 'Get the state of an export or a hunt, its result and the address of its file',
    description:
      'The address works for 15 minutes and needs no credential; `waitSeconds` waits for the end. The file is removed after ' +
      `${EXPORT_DAYS} days.`,
    access: reads('soc:read'),
    closedToPart,
    query: z.object({ waitSeconds: WaitSeconds }),
    response: EventsExportAnswer,
  }),
  cancelEventsExport: post(`${path}/{taskId}/cancel`, {
    summary: 'Cancel an export or a hunt',
    description: 'The task ends within half a minute and leaves no file. A finished task is refused with `conflict`.',
    access: reads('soc:read'),
    closedToPart,
    readOnly: true,
    response: Task,
  }),
});
