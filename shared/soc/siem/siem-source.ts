import * as z from 'zod';
import { Id, live, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { READ_AS } from './read-as.ts';

/** `waiting`: a collector declared it, and no event came yet. */
export const SOURCE_STATUSES = ['active', 'silent', 'waiting'] as const;

const DAY_SECONDS = 86_400;
const name = z.string().trim().min(1).max(120);

/** A source in a collector's declaration. */
export const DeclaredSource = objectNamed('CollectorSource', {
  name,
  kind: z.string().max(60).nullish().meta({ example: 'file' }),
  format: z.string().max(60).nullish().meta({ example: 'syslog' }),
});
export type DeclaredSource = z.infer<typeof DeclaredSource>;

/** Logs of one origin that a collector sends. */
export const SiemSource = objectNamed('SiemSource', {
  ...recordFields,
  name: readOnly(name),
  collectorId: readOnly(Id),
  kind: readOnly(z.string().nullable()),
  format: readOnly(z.string().nullable()),
  expectedEverySeconds: z
    .int()
    .min(60)
    .max(30 * DAY_SECONDS)
    .default(DAY_SECONDS)
    .meta({ description: 'after so many seconds without an event the source is silent' }),
  ...READ_AS,
  alertWhenSilent: z.boolean().default(true).meta({ description: 'raise an alert, once for each silence' }),
  status: live(z.enum(SOURCE_STATUSES)),
  quiet: live(z.boolean()).meta({ description: 'no event came in the last 24 hours', readOnly: true }),
});
export type SiemSource = z.infer<typeof SiemSource>;

const BatchFailure = z
  .object({ batchId: z.string(), code: z.string(), message: z.string(), at: Timestamp })
  .meta({ id: 'SiemBatchFailure' });
export type BatchFailure = z.infer<typeof BatchFailure>;

/** A source with its volume. */
export const SiemSourceView = SiemSource.extend({
  collectorName: live(z.string().nullable()).meta({
    description: 'collectors of two machines may send sources of one name; null once the collector is deleted',
    readOnly: true,
  }),
  lastEventAt: live(Timestamp.nullable()),
  lastReceivedAt: live(Timestamp.nullable()),
  events24h: live(z.int().nonnegative()).meta({
    description: 'in the current hour (UTC) and the previous 23 hours',
    readOnly: true,
  }),
  bytes24h: live(z.int().nonnegative()),
  timesReplaced: live(z.int().nonnegative()).meta({
    description: 'the number of its events with the time of receipt, because their own time is unusable',
    readOnly: true,
  }),
  failure: live(BatchFailure.nullable()).meta({
    description:
      'why its last failed batch is not stored: `worker_died` (its worker died twice) or `dead_lettered`; null once the batch is ' +
      'processed',
  }),
}).meta({ id: 'SiemSourceView' });
export type SiemSourceView = z.infer<typeof SiemSourceView>;

export const siemSources = defineEntity<SiemSource>(SiemSource, {
  name: 'siem-source',
  together: true,
  dimensions: { status: SOURCE_STATUSES },
  facets: ({ status, quiet }) => count({ status, day: quiet ? 'quiet' : 'active' }),
  search: ({ name, kind, format }) => [name, kind, format],
  indexed: ({ collectorId, quiet }) => ({ collector: collectorId, quiet: String(quiet) }),
  unique: ({ collectorId, name }) => ({ name: sourceKey(collectorId, name) }),
  feedFields: [
    ...(['name', 'expectedEverySeconds', 'alertWhenSilent', 'status'] as const),
    ...(['product', 'category', 'service', 'timeZone', 'parser'] as const),
  ],
});

export const sourceKey = (collectorId: string, name: string): string => `${collectorId}/${name}`;
