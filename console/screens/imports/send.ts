import { answerOf, client } from '../../api/client.ts';
import { texts } from '../../texts.ts';

/** A report up to this size is the body of its import; a larger one goes to the storage first. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

type Query = { target?: string };
type Progress = (part: number) => void;
type Accepted = { taskId: string; warnings?: string[] };

/** Sends a packed report. @returns the task that imports it. @throws Refused, or with what the storage answered */
export async function sendReport(packed: Blob, name: string, query: Query, progress: Progress): Promise<Accepted> {
  if (packed.size <= MAX_BODY_BYTES)
    return answerOf(
      client.POST('/api/v1/findings/import', {
        params: { query },
        headers: { 'content-type': 'application/octet-stream' },
        body: {},
        bodySerializer: () => packed,
      }),
    );
  const uploadId = await upload(packed, name, progress);
  return answerOf(client.POST('/api/v1/findings/import', { body: { uploadId, ...query } }));
}

/** Puts the parts to the presigned addresses, one after the other: a broken line loses one part at most. */
async function upload(packed: Blob, name: string, progress: Progress): Promise<string> {
  const body = { sizeBytes: packed.size, sha256: await sha256(packed), name: name.slice(0, 200) };
  const { uploadId, partSizeBytes, parts } = await answerOf(client.POST('/api/v1/uploads', { body }));
  for (const { partNumber, sizeBytes, url, headers } of parts) {
    const start = (partNumber - 1) * partSizeBytes;
    const part = packed.slice(start, start + sizeBytes);
    await put({ url, headers, part, sent: (bytes) => progress((start + bytes) / packed.size) });
  }
  return uploadId;
}

async function sha256(packed: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await packed.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

type Put = { url: string; headers: Record<string, string>; part: Blob; sent: (bytes: number) => void };

/** `fetch` reports no progress of what it sends. */
function put({ url, headers, part, sent }: Put): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => sent(loaded);
    request.onerror = () => reject(new Error(texts.errors.unreachable));
    request.onload = () =>
      request.status === 200 ? resolve() : reject(new Error(texts.imports.storageRefused(request.status)));
    request.send(part);
  });
}
