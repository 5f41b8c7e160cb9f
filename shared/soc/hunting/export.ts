import * as z from 'zod';
import { FilterText } from '#shared/platform/filter/filter-text.ts';
import { anyOf } from '#shared/platform/http/pagination.ts';
import { Id, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { DetectionRule } from '../detection/detection-rule.ts';

const word = trimmedText(255).optional();

/** The conditions on events that searches, counts of values and exports share. */
export const EVENT_CONDITIONS = {
  from: Timestamp.optional().meta({ description: 'an hour before `to` if absent' }),
  to: Timestamp.optional().meta({ description: 'now if absent' }),
  sourceId: Id.optional(),
  host: word.meta({ description: 'the whole name, in upper or lower case' }),
  user: word.meta({ description: 'the whole name, in upper or lower case' }),
  severity: anyOf(Severity).optional(),
  search: trimmedText(200)
    .optional()
    .meta({
      description:
        'words of the event, all of which must match: whole words (`10.0.3.7`), parts between `:`, `/`, `\\`, `@`, or runs of letters ' +
        'and digits',
    }),
  filter: FilterText.optional().meta({
    description:
      'a filter with the fields of the events by their names, `host`, `user`, `severity`, `product` and so on (docs/siem.md)',
    example: 'EventID:4625 -user:svc-* "failed password"',
  }),
  alertId: Id.optional().meta({
    description: 'the events of this alert: those of its time and group that its rule, as it is now, matches',
  }),
  ruleId: Id.optional().meta({ description: 'only events that this detection rule, as it is now, matches' }),
};

/** The same in a body, where a rule that is not stored may be its text. */
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

export const EventsExport = EventsQuestion.extend({
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

/** The outcome of an export, in the `result` of its task. */
export const EventExportResult = z
  .object({
    events: z.int().meta({ description: 'events that fit, all of which the file has' }),
    looked: z.int().meta({ description: 'events of the time range, by the counts of their hours' }),
    newest: z.array(Shown).meta({ description: 'the newest 50 of the events that fit' }),
    sizeBytes: z.int(),
    format: EVENT_FORMATS,
  })
  .meta({ id: 'SiemEventsExportResult' });

export type EventsExported = z.infer<typeof EventExportResult>;

export const EXPORT_EVENTS = { operation: 'export_events' as const, unit: 'events', result: EventExportResult };
