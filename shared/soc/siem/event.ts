import * as z from 'zod';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { Severity } from '#shared/reports/report/report.ts';

/** The formats that a collector may name for a batch; `auto` recognizes each line separately. */
export const BATCH_FORMATS = ['auto', 'ocsf', 'ecs', 'syslog', 'cef', 'json'] as const;
export type BatchFormat = (typeof BATCH_FORMATS)[number];

/** The formats of an event. A line that is of none of the others is a `text`: it is kept, never refused. */
const EVENT_FORMATS = ['ocsf', 'ecs', 'syslog', 'cef', 'json', 'text'] as const;

const word = z.string().nullable();
const FieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** An event of a log in the form that all formats are read into. */
export const SiemEvent = objectNamed('SiemEvent', {
  at: Timestamp.meta({
    description: 'the time of the event, in milliseconds; `receivedAt` if the event has no time',
  }),
  receivedAt: Timestamp,
  sourceId: Id,
  format: z.enum(EVENT_FORMATS),
  severity: Severity,
  host: word,
  user: word,
  action: word,
  category: word.meta({ description: "with `product` and `service` as in the `logsource` of Sigma's rules" }),
  product: word,
  service: word,
  message: z.string(),
  fields: z.record(z.string(), FieldValue).meta({
    description: 'every field of the event by its original name; names of nested objects are joined by dots',
    example: { EventID: 4625, TargetUserName: 'alice' },
  }),
  raw: z.string().meta({ description: 'the received line, truncated to 32 KB' }),
});
export type SiemEvent = z.infer<typeof SiemEvent>;
export type EventFields = SiemEvent['fields'];
