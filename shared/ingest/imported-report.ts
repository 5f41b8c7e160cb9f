import * as z from 'zod';
import { assetKey } from '#shared/assets/asset/asset.ts';
import { TARGET_TYPES } from '#shared/assets/targets/scan-target.ts';
import { toolKey } from '#shared/findings/finding/finding-words.ts';
import { Actor, Id, objectNamed, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { IncompleteReason } from '#shared/reports/report/gap.ts';
import { changeCounters, FindingChanges } from '#shared/scanning/engagements/finding-changes.ts';

export const IMPORT_STATUSES = ['succeeded', 'failed', 'undone'] as const;
const Count = z.int().nonnegative();

export const incomplete = z
  .array(IncompleteReason)
  .optional()
  .meta({ description: 'why the report closes no finding, or not all; absent: it is complete' });

/** Of an import that has nothing but what is about its target. */
const ofTarget = z.literal(true).optional();

/** The outcome of a report: written once, when its task ends, and changed when a closing is confirmed or all is undone. */
export const ImportedReport = objectNamed('ImportedReport', {
  ...recordFields,
  taskId: Id,
  ofTarget,
  status: z.enum(IMPORT_STATUSES).meta({ description: 'an import in progress is at `GET /api/v1/tasks`' }),
  source: z.enum(['import', 'scanner', 'apex']),
  format: z.string(),
  tools: z.array(z.string()).meta({ description: 'as the report names them' }),
  target: z.object({ type: z.enum(TARGET_TYPES), value: z.string() }).nullable(),
  zone: z.string().nullable(),
  ref: z.string().nullable(),
  commit: z.string().nullable(),
  scanType: z.string().nullable(),
  part: z.string().nullish(),
  engagementId: Id.nullable(),
  scannerTaskId: Id.nullable(),
  runId: Id.nullable().meta({ description: 'the run of the engagement' }),
  receivedAt: Timestamp,
  counts: z.object({
    created: Count,
    updated: Count,
    unchanged: Count,
    closed: Count,
    reopened: Count,
    rejected: Count,
  }),
  bySeverity: FindingChanges,
  held: z
    .object({ count: Count })
    .nullable()
    .meta({ description: 'findings whose closing waits until someone confirms it, at `links.confirm`' }),
  incomplete,
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  undone: z
    .object({ taskId: Id, at: Timestamp, by: Actor, deleted: Count, opened: Count, fixed: Count, kept: Count })
    .nullable(),
});
export type ImportedReport = z.infer<typeof ImportedReport>;

/** One value finds a target and the asset of the same name, in any zone. */
export const targetKey = ({ type, value }: { type: string; value: string }): string =>
  assetKey({ type: type as never, value, zone: null });

export const importedReports = defineEntity(ImportedReport, {
  name: 'import',
  inPart: 'whole',
  together: true,
  feedFields: ['status', 'source', 'format', 'tools', 'target', 'ref', 'commit', 'counts', 'held', 'error'],
  dimensions: { status: IMPORT_STATUSES },
  facets: ({ status, held }) => ({ ...count({ status }), ...(held && { held: 1, heldFindings: held.count }) }),
  /** The changes that the reports of a run of an engagement made. */
  tallies: ({ runId, status, bySeverity }) =>
    runId && status !== 'undone' ? [{ facet: 'run', value: runId, add: changeCounters(bySeverity) }] : [],
  /** `sender`, `onTarget`: somebody with a part sees own imports, and those that are about an asset alone. */
  indexed: ({ target, zone, tools, held, createdBy, ...report }) => ({
    sender: createdBy.id,
    onTarget:
      target && report.ofTarget ? assetKey({ type: target.type as never, value: target.value, zone }) : undefined,
    target: target ? targetKey(target) : undefined,
    tool: tools.map(toolKey),
    held: held ? 'true' : undefined,
  }),
  unique: ({ taskId }) => ({ task: taskId }),
  /** In seconds since the epoch. */
  ranks: ({ status, receivedAt }) => ({
    received: status === 'succeeded' ? Math.floor(Date.parse(receivedAt) / 1000) : undefined,
  }),
});
