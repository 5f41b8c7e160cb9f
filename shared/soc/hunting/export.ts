import * as z from 'zod';
import { Timestamp } from '#shared/platform/http/records.ts';
import { DetectionRule } from '../detection/detection-rule.ts';
import { EVENT_CONDITIONS } from './conditions.ts';

/** The conditions on events in a body, where a rule that is not stored may be its text. */
const EventsQuestion = z.object({
  ...EVENT_CONDITIONS,
  content: DetectionRule.shape.content.optional().meta({
    description: 'the text of a Sigma rule, to try it on the past before it is stored',
  }),
});

const EVENT_FORMATS = z.enum(['csv', 'jsonl']);

/** The columns of an export as CSV: parts of an event, or `fields.` with the name of a field. */
const EVENT_COLUMNS = [
  ...(['at', 'host', 'user', 'severity', 'action', 'category', 'product', 'service', 'message'] as const),
  ...(['id', 'receivedAt', 'sourceId', 'format', 'raw'] as const),
] as const;
export const USUAL_EVENT_COLUMNS = EVENT_COLUMNS.slice(0, 9);

const Column = z.union([z.enum(EVENT_COLUMNS), z.string().startsWith('fields.').max(210)]);

/** The stored rules that a hunt tries at once. */
export const HUNTED_RULES = ['on', 'off', 'all'] as const;

export const EventsExport = EventsQuestion.extend({
  rules: z.enum(HUNTED_RULES).optional().meta({
    description:
      'tries all stored rules that are on, or off, at once: the file has a line for each rule, with the number of events that it matches',
  }),
  format: EVENT_FORMATS,
  columns: z.array(Column).min(1).max(60).optional(),
});

/** The question with its times, as they were when the export began. */
export const EventExportInput = EventsExport.required({ from: true, to: true });

const Shown = z.object({
  id: z.string(),
  at: Timestamp,
  host: z.string().nullable(),
  user: z.string().nullable(),
  message: z.string(),
});

const RuleMatches = z.object({
  ruleId: z.string(),
  sigmaId: z.string().nullable(),
  title: z.string(),
  enabled: z.boolean(),
  matches: z.int().nullable().meta({ description: 'null: the rule took more steps than it may on these events' }),
});
export type RuleMatches = z.infer<typeof RuleMatches>;

/** The outcome of an export, in the `result` of its task. */
export const EventExportResult = z
  .object({
    events: z.int().meta({ description: 'events that fit, all of which the file has' }),
    looked: z.int().meta({ description: 'events of the time range, by the counts of their hours' }),
    newest: z.array(Shown).meta({ description: 'the newest 50 of the events that fit' }),
    rules: z
      .object({
        tried: z.int(),
        matched: z.int().meta({ description: 'rules that match an event, or took too many steps' }),
        most: z.array(RuleMatches).meta({ description: 'the 100 of these that match the most events' }),
      })
      .optional(),
    sizeBytes: z.int(),
    format: EVENT_FORMATS,
  })
  .meta({ id: 'SiemEventsExportResult' });

export type EventsExported = z.infer<typeof EventExportResult>;

export const EXPORT_EVENTS = { operation: 'export_events' as const, unit: 'events', result: EventExportResult };
