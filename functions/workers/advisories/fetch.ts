import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { FeedState } from '#shared/advisories/feeds.ts';
import { failureCode } from '#shared/platform/outgoing/failure-code.ts';
import { FeedError } from './feed-error.ts';

export type Validators = Pick<FeedState, 'etag' | 'lastModified'>;
type Fetched = Validators & { text: string };

const TIME_LIMIT_MS = 120_000;
/** Packed and unpacked; the largest feed has 2 and 10 MB. */
const MAX_BYTES = { packed: 20_000_000, unpacked: 60_000_000 };

/**
 * Requests a feed; for a known feed only if it changed (RFC 9110, conditional requests).
 * @returns undefined when the feed did not change
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

async function fromServer(address: string, known: Validators): Promise<Answer | undefined> {
  const answer = await askServer(address, known);
  return answer && { bytes: await bodyOf(answer), ...validatorsOf(answer) };
}

export const validatorsOf = ({ headers }: Response): Validators => ({
  etag: headers.get('etag') ?? undefined,
  lastModified: headers.get('last-modified') ?? undefined,
});

/** @returns undefined for a file that did not change @throws FeedError */
export async function askServer(address: string, { etag, lastModified }: Validators): Promise<Response | undefined> {
  const headers = {
    ...(etag && { 'if-none-match': etag }),
    ...(lastModified && { 'if-modified-since': lastModified }),
  };
  const answer = await followed(new URL(address), { headers, signal: AbortSignal.timeout(TIME_LIMIT_MS) });
  if (answer.status === 304) return undefined;
  if (!answer.ok) throw new FeedError(`${address} answers ${answer.status}`);
  return answer;
}

const MAX_REDIRECTS = 3;

/** The operator named a publisher or a mirror: a redirection leads to no other host. @throws FeedError */
async function followed(url: URL, request: RequestInit, redirects = 0): Promise<Response> {
  const answer = await fetch(url, { ...request, redirect: 'manual' }).catch((error) => {
    throw new FeedError(`${url.origin}${url.pathname} does not answer (${failureCode(error)})`);
  });
  const location = URL.parse(answer.headers.get('location') ?? '', url.href);
  if (![301, 302, 303, 307, 308].includes(answer.status) || !location) return answer;
  await answer.body?.cancel();
  if (location.origin !== url.origin || redirects === MAX_REDIRECTS)
    throw new FeedError(`${url.origin}${url.pathname} leads to ${location.origin}`);
  return followed(location, request, redirects + 1);
}

async function bodyOf(answer: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of partsOf(answer)) parts.push(part);
  return Buffer.concat(parts);
}

/** The body as it comes. @throws FeedError where it breaks off or is too long */
export async function* partsOf({ body }: Response, most = MAX_BYTES.packed): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const part of body ?? []) {
      size += part.length;
      if (size > most) throw new FeedError(`it is longer than ${most} bytes`);
      yield part;
    }
  } catch (error) {
    throw error instanceof FeedError ? error : new FeedError(`it breaks off (${failureCode(error)})`);
  }
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function textOf(bytes: Uint8Array): string {
  try {
    const unpacked = isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES.unpacked }) : bytes;
    return new TextDecoder('utf-8', { fatal: true }).decode(unpacked);
  } catch (error) {
    throw new FeedError(`it cannot be unpacked (${failureCode(error, 'another form')})`, { cause: error });
  }
}
