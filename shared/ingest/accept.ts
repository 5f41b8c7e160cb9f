import { hash } from 'node:crypto';
import { imageName } from '#shared/assets/targets/image.ts';
import { refName, repositoryName } from '#shared/assets/targets/repository.ts';
import { groupOf } from '#shared/findings/bulk/queue.ts';
import { readScope } from '#shared/findings/view/scan-scope.ts';
import { outboxWrites, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import {
  newTask,
  type QueuedResponse,
  queued,
  TASK_KEPT_SECONDS,
  type TaskRow,
  taskRows,
} from '#shared/platform/jobs/task.ts';
import { causedTaskWrites } from '#shared/platform/jobs/tasks-of-others.ts';
import { takePlace } from '#shared/platform/quotas/places.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { ApiError, FileError } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findUpload, readUpload, type Upload, useWrites } from '#shared/platform/uploads/upload.ts';
import type { KnownFormat } from '#shared/reports/formats/declared.ts';
import { chooseFormat, emptyReport, formatOf, formatsOfLists } from '#shared/reports/formats/formats.ts';
import { decodeContent, decodeReport, MAX_UPLOAD_BYTES, type ReportEncoding } from '#shared/reports/readers/decode.ts';
import { readHead } from '#shared/reports/readers/head.ts';
import { toUtf8 } from '#shared/reports/readers/text.ts';
import { type Build, buildWrite } from './build.ts';
import { type Scan, type StoredSubmission, type Submission, scopeOf, taskFiles } from './submission.ts';

export const INGEST_OPERATION = 'ingest_report';

/**
 * Accepts a report for the ingest of the table's organization: makes the cheap checks (format, encoding, size), stores
 * the report, and queues its task. Accepts an upload only from the caller who made it (`caller`), in the caller's
 * organization; the task and all its results are in the table's organization. With `taskId` a repeated call queues
 * nothing twice. Follow the task at `/api/v1/tasks/{id}`; its `result` is an `IngestResult`.
 * @throws unsupported_format, payload_too_large, validation_failed, not_found, conflict, upload_incomplete,
 * limit_exceeded
 */
export async function acceptReport(context: Context, submission: Submission): Promise<QueuedResponse> {
  try {
    return await accept(context, submission);
  } catch (error) {
    throw error instanceof FileError ? asApiError(error) : error;
  }
}

async function accept({ connections, table }: Context, submission: Submission): Promise<QueuedResponse> {
  const { report, format: named, taskId = newId(), caller = table, build, ...given } = submission;
  const scan = inOneSpelling(given);
  const wanted = named === 'auto' ? undefined : await formatOf(named);
  const files = taskFiles(table.organizationId, taskId);
  const received =
    'uploadId' in report
      ? await receiveUpload(connections.bucket, caller, { id: report.uploadId, taskId })
      : await receiveContent(connections.bucket, files.report, report);
  if (received.head === '') throw emptyReport(wanted);
  const { id: format } =
    wanted ?? (await formatOfEmpty(table, scan, received.head)) ?? (await chooseFormat(named, received.head));
  const stored: StoredSubmission = { ...scan, format, report: received.report };
  await received.store();
  await connections.bucket.put(files.submission, JSON.stringify(stored));
  const { upload } = received;
  return queueReport({ connections, table }, { ...scan, taskId, scope: scopeOf(scan, format), caller, upload, build });
}

/**
 * The format of an empty list, which shows none: the one format whose reports this scan has sent before. Undefined for
 * another report, and where the scan has sent none or several.
 */
async function formatOfEmpty(table: Table, scan: Scan, head: string): Promise<KnownFormat | undefined> {
  if (!/^\[\s*\]\s*$/.test(head)) return undefined;
  const formats = await formatsOfLists();
  const scopes = await eachAtOnce(formats, READS_AT_ONCE, ({ id }) => readScope(table, scopeOf(scan, id)));
  const [format, ...others] = formats.filter((_, n) => scopes[n]?.stateKey !== undefined);
  return others.length === 0 ? format : undefined;
}

const READS_AT_ONCE = 10;

/** A repository, an image and a branch get one canonical name from any spelling of a CI job or a scanner. */
function inOneSpelling(scan: Scan): Scan {
  const { source, target, ref, baseRef } = scan;
  const isImage = source === 'import' && target?.type === 'container_image';
  return {
    ...scan,
    ...(target?.type === 'repository' && { target: { ...target, value: repositoryName(target.value) } }),
    ...(isImage && { target: { ...target, value: imageName(target.value) } }),
    ...(ref !== undefined && { ref: refName(ref) }),
    ...(baseRef !== undefined && { baseRef: refName(baseRef) }),
  };
}

type ReceivedReport = {
  head: string;
  report: StoredSubmission['report'];
  upload?: Upload;
  store: () => Promise<void>;
};

type Content = { content: string; encoding?: ReportEncoding };

/** Inline content is decoded to its end, so that unreadable content is refused before anything is kept. */
async function receiveContent(
  bucket: Bucket,
  key: string,
  { content, encoding = 'utf8' }: Content,
): Promise<ReceivedReport> {
  const head = await readHead(toUtf8(decodeContent(encoding, content)), { toItsEnd: true });
  const checksum = hash('sha256', content, 'base64');
  return { head, report: { key, encoding, checksum }, store: () => bucket.put(key, content) };
}

type WantedUpload = { id: string; taskId: string };

async function receiveUpload(bucket: Bucket, table: Table, wanted: WantedUpload): Promise<ReceivedReport> {
  const upload = await findUpload(bucket, table, wanted);
  const bytes = decodeReport({ encoding: 'utf8', maxBytes: MAX_UPLOAD_BYTES }, readUpload(bucket, upload));
  return { head: await readHead(toUtf8(bytes)), report: { upload }, upload, store: async () => undefined };
}

type Accepted = Pick<Scan, 'ref' | 'scanType' | 'targetOnly'> & {
  taskId: string;
  scope: string;
  caller: Table;
  upload: Upload | undefined;
  build: Build | undefined;
};

async function queueReport({ connections, table }: Context, accepted: Accepted): Promise<QueuedResponse> {
  const { taskId, scope, caller, upload, build, ref, scanType, targetOnly } = accepted;
  const task = newTask(table.actor, {
    id: taskId,
    operation: INGEST_OPERATION,
    job: 'ingest',
    unit: 'findings',
    input: { scope },
    // the request has checked the target, and a report leads to rows that no part has
    reachesAll: true,
  });
  return queueImport({ connections, table }, task, (batch) => {
    if (upload) batch.write(...useWrites(caller, upload, taskId));
    if (build) batch.write(buildWrite(table, build, { taskId, scope, ref, scanType, targetOnly }));
    batch.write(...causedTaskWrites(caller, table, task));
  });
}

/** Queues the task of an import, with a place until its end, unless the task exists already. @throws limit_exceeded */
export async function queueImport(
  { connections, table }: Context,
  task: TaskRow,
  also: (batch: Batch) => void = () => undefined,
): Promise<QueuedResponse> {
  const send = { group: groupOf(table) };
  return retry(async () => {
    const current = await table.rows(taskRows).find({ id: task.id }, true);
    if (current) return queued(current);
    const batch = table.batch();
    batch.write(...outboxWrites(table, task, send));
    also(batch);
    await takePlace(table, batch, { kind: 'imports', id: task.id, until: inSeconds(TASK_KEPT_SECONDS) });
    await batch.commit();
    await sendOutbox({ connections, table }, { task, send });
    return queued(task);
  });
}

/** The error of a report, as the answer to a request. */
function asApiError({ code, message }: FileError): ApiError {
  if (code === 'too_large') return new ApiError('payload_too_large', message);
  return new ApiError(code === 'unsupported_format' ? code : 'validation_failed', message);
}
