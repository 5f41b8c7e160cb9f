import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { localCredentials } from '../credentials.ts';
import type { Engine } from '../engine-process.ts';
import { externalEndpoints } from '../external-endpoints.ts';
import type { Answer } from './answer.ts';
import { openBlobs } from './blobs.ts';
import { openIndex } from './object-index.ts';
import type { Store } from './objects.ts';
import { route } from './operations.ts';
import { S3Error } from './s3-error.ts';
import { s3Request } from './s3-request.ts';
import { verifySignature } from './signature.ts';
import { xmlDocument } from './xml.ts';

/**
 * Serves the part of S3 that the service uses, in path style (docs/decisions/0014-libraries.md says why no package
 * does). Bodies of any size stream to and from files; signatures, expiry, checksums and conditional writes work as on
 * AWS. Without a data directory the objects are in memory, and long ones in a temporary directory. `S3_ENDPOINT` names a running store to use instead.
 */
export async function startObjectStore(options: { dataDir?: string }): Promise<Engine> {
  const external = externalEndpoints.s3;
  if (external) return { endpoint: external, stop: async () => undefined };
  const directory = options.dataDir ?? mkdtempSync(join(tmpdir(), 'objects-'));
  mkdirSync(directory, { recursive: true });
  const isKept = options.dataDir !== undefined;
  const index = openIndex(isKept ? join(directory, 'objects.sqlite') : ':memory:');
  const blobs = openBlobs(join(directory, 'blobs'), { isKept });
  blobs.removeAllBut(index.knownFiles());
  const endpoint = await listen({ index, blobs, now: Date.now });
  return {
    endpoint: endpoint.url,
    async stop() {
      await endpoint.close();
      index.close();
      if (!isKept) rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function listen(store: Store): Promise<{ url: string; close(): Promise<void> }> {
  // Over a slow line, a part of a large report takes longer than Node's limit of five minutes.
  const server = createServer({ requestTimeout: 0 }, (message, response) => void serve(store, message, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the object store has no port');
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${address.port}`, close };
}

async function serve(store: Store, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await answerTo(store, message).catch(errorAnswer);
  try {
    await send(answer, message, response);
  } catch {
    // The caller disconnected, or an object was replaced during the read. A cut answer shows the failure to the reader.
    response.destroy();
  }
}

async function answerTo(store: Store, message: IncomingMessage): Promise<Answer> {
  if (message.method === 'OPTIONS') return { status: 200, headers: PREFLIGHT };
  const request = s3Request(message);
  verifySignature(request, localCredentials, store.now());
  return route(store, request);
}

/** Browsers send the parts of reports here: a presigned address is the proof, whichever page has it. */
const ANY_ORIGIN = { 'access-control-allow-origin': '*' };
const PREFLIGHT = {
  ...ANY_ORIGIN,
  'access-control-allow-methods': 'GET, PUT',
  'access-control-allow-headers': '*',
  'access-control-max-age': '3600',
};

function errorAnswer(error: unknown): Answer {
  const known =
    error instanceof S3Error ? error : new S3Error(500, 'InternalError', 'We encountered an internal error.');
  if (known !== error) console.error('the object store failed:', error);
  const body = xmlDocument('Error', { Code: known.code, Message: known.message });
  return { status: known.status, headers: { 'content-type': 'application/xml' }, body };
}

async function send(answer: Answer, message: IncomingMessage, response: ServerResponse): Promise<void> {
  // Otherwise a caller that still sends a refused body would see a broken connection instead of the reason.
  message.resume();
  response.writeHead(answer.status, { ...ANY_ORIGIN, ...answer.headers });
  if (message.method === 'HEAD' || answer.body === undefined) response.end();
  else if (typeof answer.body === 'string') response.end(answer.body);
  else await pipeline(Readable.from(answer.body, { objectMode: false }), response);
}
