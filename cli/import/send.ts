import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, type Client, Refused, type Schemas } from '../client.ts';
import type { Context } from '../context.ts';
import { finishedTask, isFinished, MAX_WAIT_SECONDS } from '../tasks.ts';
import { type Journal, openJournal } from './journal.ts';
import type { Packed } from './pack.ts';
import { upload } from './upload.ts';

/** A body has at most 4 MB, and 64 MB once it is unpacked; larger reports are uploaded. */
const MAX_BODY_BYTES = 3_500_000;
const MAX_DECODED_BYTES = 60_000_000;

/** The fields of an import beside the report. */
export type ImportFields = Omit<Schemas['FindingsImport'], 'content' | 'uploadId' | 'encoding' | 'gate' | 'target'> & {
  target?: string | undefined;
};
/** The outcome of a report: a key that may only import sees no more of an import that takes long. */
type Ended = Pick<Schemas['Task'], 'status' | 'error'> & { id: string; result?: object | undefined };
export type Imported = { file: string; task: Ended; warnings: string[] };
type Sending = { context: Context; client: Client; packed: Packed; until: number };

/** Sends a report and waits until the service has read it to its end. */
export async function sendReport(sending: Sending, fields: ImportFields): Promise<Imported> {
  const { context, packed } = sending;
  const { url } = await context.access();
  const about = [url, packed.sha256, fields];
  let journal = await openJournal(context.env, about);
  context.progress(`Sending ${packed.name}`);
  const {
    taskId,
    task,
    warnings = [],
  } = await whenThereIsRoom(sending, async () => {
    try {
      return await requested(sending, journal, fields);
    } catch (error) {
      if (!isUsed(error)) throw error;
      // the service took the report and lost its answer: it knows each finding when the report comes again
      await journal.end();
      journal = await openJournal(context.env, about);
      return requested(sending, journal, fields);
    }
  });
  const ended = task && isFinished(task) ? task : await whenRead(sending, taskId);
  await journal.end();
  return { file: packed.name, task: ended, warnings };
}

/** The end of an import. A key that may only import reads no task, so it asks the gate, which answers once the report is read. */
async function whenRead({ context, client, packed, until }: Sending, id: string): Promise<Ended> {
  try {
    return await finishedTask(context, client, { id, name: packed.name, until });
  } catch (error) {
    if (!(error instanceof Refused) || (error.status !== 401 && error.code !== 'not_found')) throw error;
  }
  for (;;) {
    context.progress(`${packed.name}: the service reads it`);
    const params = { path: { taskId: id }, query: { waitSeconds: MAX_WAIT_SECONDS } };
    try {
      const { reasons } = await answerOf(client.GET('/api/v1/findings/import/{taskId}/gate', { params }));
      const failed = reasons.find((reason) => /^The import (?:failed|cancelled)/.test(reason));
      if (failed === undefined) return { id, status: 'succeeded' };
      return { id, status: 'failed', error: { code: 'import_failed', message: failed } };
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'conflict' || Date.now() > until) throw error;
    }
  }
}

const isUsed = (error: unknown): boolean =>
  error instanceof Refused && error.code === 'conflict' && error.message.includes('already used');

async function requested(sending: Sending, journal: Journal, fields: ImportFields) {
  const { client, packed } = sending;
  const header = { 'Idempotency-Key': journal.key };
  if (packed.sizeBytes > MAX_BODY_BYTES || packed.decodedBytes > MAX_DECODED_BYTES) {
    const body = { ...fields, uploadId: await upload(sending, journal) };
    // a large report takes longer than a request may: its task is followed
    const params = { query: { waitSeconds: 0 }, header };
    return answerOf(client.POST('/api/v1/findings/import', { params, body }));
  }
  const bytes = await readFile(packed.file);
  const params = { query: { ...fields, waitSeconds: MAX_WAIT_SECONDS }, header };
  const headers = { 'content-type': 'application/octet-stream' };
  return answerOf(client.POST('/api/v1/findings/import', { params, headers, body: '', bodySerializer: () => bytes }));
}

const ROOM_PAUSE_MS = 5_000;

/** An organization has a bounded number of imports at a time: a report waits for its place. */
async function whenThereIsRoom<T>({ context, packed, until }: Sending, send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const isFull = error instanceof Refused && error.code === 'limit_exceeded';
      if (!isFull || Date.now() + ROOM_PAUSE_MS > until) throw error;
      context.progress(`${packed.name} waits for a place: ${error.message}`);
      await sleep(ROOM_PAUSE_MS, undefined, { signal: context.signal });
    }
  }
}
