import { texts } from '../texts.ts';
import { answerOf, client } from './client.ts';

/** Puts the parts to the presigned addresses, one after the other: a broken line loses one part at most. @returns the upload */
export async function upload(content: Blob, name: string, progress: (part: number) => void): Promise<string> {
  const body = { sizeBytes: content.size, sha256: await sha256(content), name: name.slice(0, 200) };
  const { uploadId, partSizeBytes, parts } = await answerOf(client.POST('/api/v1/uploads', { body }));
  for (const { partNumber, sizeBytes, url, headers } of parts) {
    const start = (partNumber - 1) * partSizeBytes;
    const part = content.slice(start, start + sizeBytes);
    await put({ url, headers, part, sent: (bytes) => progress((start + bytes) / content.size) });
  }
  return uploadId;
}

async function sha256(content: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await content.arrayBuffer());
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
