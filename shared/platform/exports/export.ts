import * as z from 'zod';
import { Id, Timestamp } from '../http/records.ts';
import { Progress, TASK_STATUSES } from '../jobs/task.ts';
import { WaitedResponse } from '../jobs/wait.ts';
import type { Selection } from '../table/list.ts';

/** One prefix for all organizations, so that the bucket itself removes the files. */
export const EXPORTS_PREFIX = 'exports/';
/** A file is kept for so long; an export is quickly made again. */
export const EXPORT_DAYS = 7;

/** The formats of an export: the ending and the media type of its file. */
export const EXPORT_FORMATS = {
  csv: { ending: 'csv', mediaType: 'text/csv; charset=utf-8' },
  jsonl: { ending: 'jsonl', mediaType: 'application/x-ndjson' },
  sarif: { ending: 'sarif', mediaType: 'application/sarif+json' },
  vex: { ending: 'openvex.json', mediaType: 'application/json' },
} as const;
export type ExportFormat = keyof typeof EXPORT_FORMATS;
export const ExportFormat = z.enum(Object.keys(EXPORT_FORMATS) as [ExportFormat, ...ExportFormat[]]);

/** The columns of an export: paths of fields of `Finding`, and of the owner, the applications and the tags of its asset. */
export const EXPORT_COLUMNS = [
  'id',
  'title',
  'severity',
  'toolSeverity',
  'status',
  'statusReason',
  'priority',
  'dueAt',
  'asset.type',
  'asset.name',
  'asset.zone',
  'asset.id',
  'location',
  'ref',
  'tool',
  'ruleId',
  'cves',
  'cwes',
  'cvssScore',
  'cvssVector',
  'epss',
  'kev',
  'component.name',
  'component.version',
  'component.purl',
  'component.fixedVersions',
  'assignee.name',
  'assignee.id',
  'tags',
  'firstSeenAt',
  'lastSeenAt',
  'occurrences',
  'reopenedCount',
  'acknowledgedAt',
  'fixedAt',
  'acceptedUntil',
  'description',
  'remediation',
  'references',
  'evidence',
  'locationDetail',
  'otherLocations',
  'fingerprint',
  'taskId',
  'engagementId',
  'createdAt',
  'updatedAt',
  'version',
  'acceptance.approver.name',
  'acceptance.approver.id',
  'acceptance.until',
  'owner.name',
  'owner.id',
  'applications',
  'applicationIds',
  'asset.tags',
] as const;
type ExportColumn = (typeof EXPORT_COLUMNS)[number];

/** Long texts and numbers of the service, which a CSV has only where they are asked for. */
const LEFT_OUT: readonly ExportColumn[] = [
  'asset.id',
  'assignee.id',
  'description',
  'evidence',
  'locationDetail',
  'otherLocations',
  'fingerprint',
  'taskId',
  'engagementId',
  'createdAt',
  'updatedAt',
  'version',
  'acceptance.approver.id',
  'owner.id',
  'applicationIds',
];
export const USUAL_COLUMNS = EXPORT_COLUMNS.filter((column) => !LEFT_OUT.includes(column));

/** An exported file, without its counts. */
export const ExportedFile = z.object({
  name: z.string(),
  mediaType: z.string(),
  sizeBytes: z.int().nonnegative(),
  url: z.string().meta({ description: 'GET this address without credentials' }),
  urlExpiresAt: Timestamp.meta({ description: 'request a new address after this time' }),
  expiresAt: Timestamp.meta({ description: 'the time at which the file is removed' }),
});

/** The input of a task that exports records: which of them, in what form. */
export const exportInput = <F extends z.ZodType, const C extends string>(format: F, columns: readonly C[]) =>
  z.object({ format, columns: z.array(z.enum(columns)).optional(), selection: z.custom<Selection>() });

/** The answer about the progress of an export; `file` is the written file. */
export const followedExport = <F extends z.ZodType>(file: F) =>
  z.object({
    taskId: Id,
    status: z.enum(TASK_STATUSES),
    progress: Progress,
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    file: file.nullable().meta({ description: 'null until the task has succeeded' }),
  });

/** The answer to somebody who queues an export. */
export const queuedExport = <F extends z.ZodType>(file: F) =>
  WaitedResponse.extend({
    file: file.optional().meta({ description: 'the file, if it was written within `waitSeconds`' }),
  });

/** The findings, columns and format of an export. */
export type ExportInput = { format: ExportFormat; columns?: readonly ExportColumn[]; selection: Selection };

/** The outcome of an export, in the `result` of its task. */
export const ExportResult = z
  .object({ findings: z.int(), entries: z.int(), sizeBytes: z.int(), format: ExportFormat })
  .meta({ id: 'ExportResult' });
export type ExportResult = z.infer<typeof ExportResult>;

/** The files of an export in the bucket. */
export const exportFiles = (organizationId: string, taskId: string) => {
  const folder = `${EXPORTS_PREFIX}${organizationId}/${taskId}`;
  return { file: `${folder}/file`, selection: `${folder}/selection`, rest: `${folder}/rest` };
};
