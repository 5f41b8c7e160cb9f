import * as z from 'zod';
import { MAX_REPORT_BYTES } from '#shared/platform/http/body-size.ts';
import { takesFile } from '#shared/platform/http/file-body.ts';
import { asParameters } from '#shared/platform/http/parameters.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, post } from '#shared/platform/http/route.ts';
import { reportEncodings } from '#shared/reports/readers/decode.ts';
import { CollectorDataSource } from '#shared/soc/siem/collector.ts';
import { BATCH_FORMATS } from '#shared/soc/siem/event.ts';

const text = (most: number) => z.string().trim().min(1).max(most);

const EventBatch = objectNamed('EventBatch', {
  batchId: text(200).meta({
    description: 'an id of your choice; a batch that is sent again within 30 days counts once',
  }),
  source: text(120).meta({
    description: 'where the events come from, the same each time',
    example: 'web-01 auth.log',
  }),
  format: z.enum(BATCH_FORMATS).default('auto').meta({
    description:
      'the format of all lines; `auto` recognises each line separately. A line of no known format is kept as text',
  }),
  content: z
    .string()
    .min(1)
    .meta({
      description:
        'an event a line, or a JSON array of events; up to 100,000 lines or events, 4 MB as sent and 32 MB without its gzip; ' +
        'up to 1,000,000 values and 100,000 different names of fields',
      example: '<34>1 2026-01-15T08:00:00Z web-01 sshd 812 - - Failed password for alice from 203.0.113.9 port 22 ssh2',
    }),
  encoding: z.enum(reportEncodings).default('utf8').meta({ description: 'of `content`' }),
});
const { content: _content, encoding: _encoding, ...beside } = EventBatch.shape;

const EventBatchAnswer = objectNamed('EventBatchAnswer', {
  accepted: z.literal(true),
  batchId: z.string(),
  duplicate: z.boolean().meta({ description: 'it was taken before, and counts once' }),
  timesReplaced: z.int().nonnegative().meta({
    description: 'events that have the time of receipt, because their own time is unusable',
  }),
});

const access = { machines: ['collector'] } as const;

export const collectorRoutes = defineRoutes({
  sendEvents: post('/api/v1/collector_communication/events', {
    summary: 'Send a batch of events',
    description:
      'The answer confirms that the batch is stored; its events can be found some seconds later. If no answer came, send the batch ' +
      'again with the same `batchId`. An event gets the time of receipt if its own time is missing, cannot be read, is more than 5 ' +
      'minutes ahead, or is older than the retention. A batch may have events of at most 168 different hours; events of older ' +
      'hours get the time of receipt too. `timesReplaced` counts the events whose own time was replaced. The body may also be the ' +
      'events themselves, gzipped or not, with any `Content-Type` other than application/json (text/plain, application/x-ndjson, ' +
      'application/octet-stream); send the other fields in the query then.',
    access,
    file: takesFile(z.object(asParameters(beside)), EventBatch),
    maxBody: MAX_REPORT_BYTES,
    body: EventBatch,
    lenient: true,
    response: EventBatchAnswer,
  }),
  reportCollector: post('/api/v1/collector_communication/status', {
    summary: 'Report that the collector is online, and declare its sources',
    description:
      'Call again after `pollAfterSeconds`. A declared source that never sent events is `waiting`; a source that has stopped is ' +
      '`silent`.',
    access,
    body: CollectorDataSource,
    lenient: true,
    poll: true,
    response: z.object({ pollAfterSeconds: z.int().positive() }).meta({ id: 'CollectorStatusAnswer' }),
  }),
});
