import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { FeedState } from '#shared/advisories/feeds.ts';
import { FeedError } from './feed-error.ts';

type Validators = Pick<FeedState, 'etag' | 'lastModified'>;
type Fetched = Validators & { text: string };

const TIME_LIMIT_MS = 120_000;
/** Packed and unpacked; the largest feed has 2 and 10 MB. */
const MAX_BYTES = { packed: 50_000_000, unpacked: 200_000_000 };

/**
 * Asks for a feed, and for one that is known only if it changed (RFC 9110, conditional requests).
 * @returns undefined when it did not change
 * @throws FeedError
 */
export async function fetchFeed(address: string, known: Validators): Promise<Fetched | undefined> {
  const fetched = address.startsWith('file:') ? await fromFile(address) : await fromServer(address, known);
  if (!fetched || (fetched.etag !== undefined && fetched.etag === known.etag)) return undefined;
  const { bytes, ...validators } = fetched;
  return { ...validators, text: textOf(bytes) };
}

type Answer = Validators & { bytes: Uint8Array };

async function fromFile(address: string): Promise<Answer> {
  const bytes = await readFile(new URL(address));
  return { bytes, etag: createHash('sha256').update(bytes).digest('base64url') };
}

async function fromServer(address: string, { etag, lastModified }: Validators): Promise<Answer | undefined> {
  const headers = {
    ...(etag && { 'if-none-match': etag }),
    ...(lastModified && { 'if-modified-since': lastModified }),
  };
  const answer = await fetch(address, { headers, signal: AbortSignal.timeout(TIME_LIMIT_MS) }).catch((error) => {
    throw new FeedError(`${address} does not answer: ${causeOf(error)}`);
  });
  if (answer.status === 304) return undefined;
  if (!answer.ok) throw new FeedError(`${address} answers ${answer.status}`);
  return {
    bytes: await bodyOf(answer),
    etag: answer.headers.get('etag') ?? undefined,
    lastModified: answer.headers.get('last-modified') ?? undefined,
  };
}

async function bodyOf({ body }: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of body ?? []) {
      size += part.length;
      if (size > MAX_BYTES.packed) throw new FeedError(`it is longer than ${MAX_BYTES.packed} bytes`);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof FeedError ? error : new FeedError(`it breaks off: ${causeOf(error)}`);
  }
  return Buffer.concat(parts);
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function textOf(bytes: Uint8Array): string {
  try {
    const unpacked = isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES.unpacked }) : bytes;
    return new TextDecoder('utf-8', { fatal: true }).decode(unpacked);
  } catch (error) {
    throw new FeedError(`it cannot be unpacked: ${causeOf(error)}`);
  }
}

const causeOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
};
