import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type * as z from 'zod';
import { UploadTicket } from '#local/reference-scanner/answers.ts';
import type { Service } from '#local/reference-scanner/service.ts';

/** A request body holds 4 MB; base64 adds a third. Larger reports are uploaded. */
const inlineBytes = 2_500_000;
const smallFile = 24 * 1024 * 1024;

type Part = z.infer<typeof UploadTicket>['parts'][number];

/** The report as `completed_tasks` takes it: inside the request if it is small, else uploaded beforehand. */
export async function reportOf(service: Service, { file, format }: { file: string; format: string }) {
  const { size } = await stat(file);
  if (size <= smallFile) {
    const packed = gzipSync(await readFile(file));
    if (packed.length <= inlineBytes) return { format, encoding: 'gzip+base64', content: packed.toString('base64') };
  }
  return { format, uploadId: await upload(service, file, size) };
}

async function upload(service: Service, file: string, sizeBytes: number): Promise<string> {
  const sha256 = await digest(file);
  const answer = await service.post('/api/v1/scanner_communication/uploads', { sizeBytes, sha256 });
  const ticket = UploadTicket.parse(answer);
  const handle = await open(file);
  try {
    let position = 0;
    for (const part of ticket.parts) {
      await sendPart(part, await read(handle, position, part.sizeBytes));
      position += part.sizeBytes;
    }
  } finally {
    await handle.close();
  }
  return ticket.uploadId;
}

async function read(handle: Awaited<ReturnType<typeof open>>, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead !== length) throw new Error('the report changed while it was sent');
  return buffer;
}

const attempts = 5;

async function sendPart({ url, headers, partNumber }: Part, body: Buffer): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) }).catch(
      (error: Error) => error,
    );
    if (answer instanceof Response && answer.ok) return;
    const reason = answer instanceof Response ? `status ${answer.status}` : answer.message;
    if (attempt === attempts) throw new Error(`part ${partNumber} of the report was not taken: ${reason}`);
  }
}

async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
