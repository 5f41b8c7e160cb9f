import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type * as z from 'zod';
import { pauseBefore, Refused, type Service } from '../reference-machine/service.ts';
import { UploadTicket } from './answers.ts';

/** A request body holds 4 MB; base64 adds a third. Larger reports are uploaded. */
const inlineBytes = 2_500_000;
const smallFile = 24 * 1024 * 1024;
const uploads = '/api/v1/scanner_communication/uploads';

type Ticket = z.infer<typeof UploadTicket>;

export type Report = {
  file: string;
  format: string;
  /** A started upload, to be continued. */
  uploadId?: string;
};

type Sending = { service: Service; begun: (uploadId: string) => Promise<void>; signal: AbortSignal };

/** The report in the form for `completed_tasks`: inside the request if it is small, otherwise uploaded first. */
export async function reportOf(report: Report, sending: Sending) {
  const { file, format } = report;
  const { size } = await stat(file);
  if (size <= smallFile) {
    const packed = gzipSync(await readFile(file));
    if (packed.length <= inlineBytes) return { format, encoding: 'gzip+base64', content: packed.toString('base64') };
  }
  return { format, uploadId: await upload(report, size, sending) };
}

const attempts = 5;

/** Sends the missing parts, also after a restart, and replaces an expired address. */
async function upload(report: Report, sizeBytes: number, sending: Sending): Promise<string> {
  let ticket = (await earlier(report, sending)) ?? (await begin(report, sizeBytes, sending));
  for (let attempt = 0; ticket.parts.length > 0; attempt++) {
    if (attempt === attempts) throw new Error(`${ticket.parts.length} parts of the report could not be uploaded`);
    if (attempt > 0) await sleep(pauseBefore(attempt), undefined, { signal: sending.signal });
    await sendParts(report.file, ticket, sending.signal);
    ticket = await show(ticket.uploadId, sending);
  }
  return ticket.uploadId;
}

async function earlier({ uploadId }: Report, sending: Sending): Promise<Ticket | undefined> {
  if (uploadId === undefined) return undefined;
  try {
    return await show(uploadId, sending);
  } catch (error) {
    if (error instanceof Refused && error.code === 'not_found') return undefined; // the upload is older than a day
    throw error;
  }
}

async function begin({ file }: Report, sizeBytes: number, { service, begun, signal }: Sending): Promise<Ticket> {
  const body = { sizeBytes, sha256: await digest(file) };
  const ticket = UploadTicket.parse(await service.post(uploads, body, signal));
  await begun(ticket.uploadId);
  return ticket;
}

const show = async (uploadId: string, { service, signal }: Sending): Promise<Ticket> =>
  UploadTicket.parse(await service.get(`${uploads}/${encodeURIComponent(uploadId)}`, signal));

/** Reads each part from the file while sending it. Parts that failed are sent again afterwards. */
async function sendParts(file: string, { parts, partSizeBytes }: Ticket, signal: AbortSignal): Promise<void> {
  const content = await openAsBlob(file);
  for (const { partNumber, sizeBytes, url, headers } of parts) {
    const from = (partNumber - 1) * partSizeBytes;
    const body = content.slice(from, from + sizeBytes);
    try {
      const answer = await fetch(url, { method: 'PUT', headers, body, signal });
      if (!answer.ok) console.error(`part ${partNumber} of a report: status ${answer.status}`);
      await answer.body?.cancel();
    } catch (error) {
      signal.throwIfAborted();
      console.error(`part ${partNumber} of a report: ${error instanceof Error ? error.message : error}`);
    }
  }
}

async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
