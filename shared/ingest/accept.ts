import { newTask, type QueuedResponse, queued, sendTask, taskRows } from '../jobs/task.ts';
import { causedTaskWrites } from '../jobs/tasks-of-others.ts';
import { decodeContent, decodeReport, MAX_UPLOAD_BYTES, type ReportEncoding } from '../reports/decode.ts';
import { emptyReport, recogniseFormat } from '../reports/formats.ts';
import { ReportError, type ReportFormatId, reportFormatIds } from '../reports/report.ts';
import { toUtf8 } from '../reports/text.ts';
import type { Bucket } from '../runtime/bucket.ts';
import type { Connections } from '../runtime/connections.ts';
import { ApiError } from '../runtime/errors.ts';
import { newId } from '../runtime/ids.ts';
import { putWrite } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import { findUpload, readUpload, type Upload, useWrite } from '../uploads/upload.ts';
import { type StoredSubmission, type Submission, scopeOf, taskFiles } from './submission.ts';

export const INGEST_OPERATION = 'ingest_report';

/**
 * Takes a report for the ingest of the table's organization: checks what is cheap to check (format, encoding, size),
 * keeps it, and queues its task. An upload is taken where the caller made it (`caller`), and for the caller alone; the
 * task and all that comes of it lie here. With `taskId` a repeated call queues nothing twice. Follow the task at `/api/v1/tasks/{id}`; its `result` is an
 * `IngestResult`.
 * @throws unsupported_format, payload_too_large, validation_failed, not_found, conflict, upload_incomplete
 */
export async function acceptReport(
  connections: Connections,
  table: Table,
  submission: Submission,
): Promise<QueuedResponse> {
  const { report, format, taskId = newId(), caller = table, ...scan } = submission;
  const named = reportFormatIds.find((id) => id === format);
  if (!named && format !== 'auto') throw unknownFormat(`The format ${format} is not known.`);
  const files = taskFiles(table.organizationId, taskId);
  const taken =
    'uploadId' in report
      ? await takeUpload(connections.bucket, caller, { id: report.uploadId, taskId })
      : await takeContent(connections.bucket, files.report, report);
  const shown = named ?? recognise(taken.head);
  const stored: StoredSubmission = { ...scan, format: shown, report: taken.report };
  await taken.store();
  await connections.bucket.put(files.submission, JSON.stringify(stored));
  return queueReport(connections, table, { taskId, scope: scopeOf(scan, shown), caller, upload: taken.upload });
}

function recognise(head: Uint8Array): ReportFormatId {
  const shown = recogniseFormat(head);
  if (!shown) throw unknownFormat('The report shows none of the known formats.');
  return shown;
}

const unknownFormat = (message: string): ApiError =>
  new ApiError('unsupported_format', `${message} Known formats: ${reportFormatIds.join(', ')}, or auto.`);

type Taken = {
  head: Uint8Array;
  report: StoredSubmission['report'];
  upload?: Upload;
  store: () => Promise<void>;
};

type Content = { content: string; encoding?: ReportEncoding };

/** Inline content is decoded to its end, so that what cannot be read is refused before anything is kept. */
async function takeContent(bucket: Bucket, key: string, { content, encoding = 'utf8' }: Content): Promise<Taken> {
  const head = await readHead(decodeContent(encoding, content), true);
  return { head, report: { key, encoding }, store: () => bucket.put(key, content) };
}

async function takeUpload(bucket: Bucket, table: Table, wanted: { id: string; taskId: string }): Promise<Taken> {
  const upload = await findUpload(bucket, table, wanted);
  const bytes = decodeReport({ encoding: 'utf8', maxBytes: MAX_UPLOAD_BYTES }, readUpload(bucket, upload));
  return { head: await readHead(bytes, false), report: { upload }, upload, store: async () => undefined };
}

/** As much of a report's beginning, as UTF-8, as recognising it needs. */
const HEAD_BYTES = 16 * 1024;

async function readHead(bytes: AsyncIterable<Uint8Array>, toTheEnd: boolean): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of toUtf8(bytes)) {
      if (size < HEAD_BYTES) chunks.push(Uint8Array.from(chunk.subarray(0, HEAD_BYTES)));
      size += chunk.length;
      if (size >= HEAD_BYTES && !toTheEnd) break;
    }
  } catch (error) {
    throw error instanceof ReportError ? asApiError(error) : error;
  }
  const head = Buffer.concat(chunks).subarray(0, HEAD_BYTES);
  if (head.toString().trim() === '') throw asApiError(emptyReport());
  return head;
}

type Accepted = { taskId: string; scope: string; caller: Table; upload: Upload | undefined };

async function queueReport(connections: Connections, table: Table, accepted: Accepted): Promise<QueuedResponse> {
  const { taskId, scope, caller, upload } = accepted;
  const task = newTask(table.actor.id, {
    id: taskId,
    operation: INGEST_OPERATION,
    job: 'ingest',
    unit: 'findings',
    input: { scope },
  });
  const standing = await table.rows(taskRows).find({ id: taskId }, true);
  if (!standing) {
    const batch = table.batch();
    batch.write(putWrite(table.scope, taskRows, { row: task, expect: 'absent' }));
    if (upload) batch.write(useWrite(caller, upload, taskId));
    batch.write(...causedTaskWrites(caller, table, task));
    await batch.commit();
  }
  await sendTask(connections, table, task, { group: groupOf(table, scope) });
  return queued(standing ?? task);
}

/** The message group in which the reports of a scope are in order. */
export const groupOf = (table: Table, scope: string): string => `${table.scope}.${scope}`;

/** What is wrong with a report, as the answer of a request. */
function asApiError({ code, message }: ReportError): ApiError {
  if (code === 'too_large') return new ApiError('payload_too_large', message);
  return new ApiError(code === 'unsupported_format' ? code : 'validation_failed', message);
}
