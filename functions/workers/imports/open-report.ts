import { jobs } from '#shared/platform/jobs/jobs.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { readUpload } from '#shared/platform/uploads/upload.ts';
import { decodeReport, MAX_INLINE_BYTES, MAX_UPLOAD_BYTES } from '#shared/reports/readers/decode.ts';
import { ReportError } from '#shared/reports/report/report.ts';
import type { Accepted } from './phases.ts';

/** The bytes of a report, as long as there is time to read them. @throws ReportError */
export function openReport(
  { connections: { bucket }, submission: { report } }: Accepted,
  startedMs: number,
): AsyncIterable<Uint8Array> {
  if ('upload' in report)
    return decodeReport(
      { encoding: 'utf8', maxBytes: MAX_UPLOAD_BYTES },
      inTime(startedMs, readUpload(bucket, report.upload)),
    );
  const bytes = inTime(startedMs, bytesOf(bucket, report.key));
  return decodeReport({ encoding: report.encoding, maxBytes: MAX_INLINE_BYTES }, bytes);
}

/** The worker is stopped soon after this; the report would be read anew, and as slowly, with each delivery. */
const READ_MS = (jobs.ingest.timeoutSeconds - 30) * 1000;

async function* inTime(startedMs: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    if (nowMs() - startedMs > READ_MS)
      throw new ReportError('too_large', `Reading the report takes over ${READ_MS / 1000} seconds: split the scan.`);
    yield chunk;
  }
}

async function* bytesOf(bucket: Bucket, key: string): AsyncGenerator<Uint8Array> {
  const stream: AsyncIterable<Uint8Array> = await bucket.stream(key);
  yield* stream;
}

/** A reader may stop at the end of the document; the checksum of an upload shows at the end of the file. */
export async function verifyWhole({ connections, submission: { report } }: Accepted): Promise<void> {
  if (!('upload' in report)) return;
  for await (const _ of readUpload(connections.bucket, report.upload));
}
