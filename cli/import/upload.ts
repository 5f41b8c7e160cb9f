import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, type Client, Refused, type Schemas } from '../client.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure, reasonOf } from '../errors.ts';
import type { Journal } from './journal.ts';
import type { Packed } from './pack.ts';

type Upload = Schemas['Upload'];
type Sending = { context: Context; client: Client; packed: Omit<Packed, 'decodedBytes'> };
/** A command remembers this of its upload. */
type Remembered = Pick<Journal, 'uploadId' | 'keep'>;

const ATTEMPTS = 8;
const LONGEST_PAUSE_MS = 15_000;

/** Sends a large report in parts, and only those that are missing after a loss. @returns the id that the import names */
export async function upload(sending: Sending, journal: Remembered): Promise<string> {
  let current = (await continued(sending, journal)) ?? (await begin(sending, journal));
  for (let attempt = 0; current.parts.length > 0; attempt++) {
    if (attempt === ATTEMPTS)
      throw new Failure(
        EXIT.unreachable,
        `${sending.packed.name} could not be sent.`,
        'Call the command again: it continues.',
      );
    if (attempt > 0) {
      const pause = Math.random() * Math.min(LONGEST_PAUSE_MS, 500 * 2 ** attempt);
      await sleep(pause, undefined, { signal: sending.context.signal });
    }
    await sendParts(sending, current);
    current = await show(sending, current.uploadId);
  }
  return current.uploadId;
}

/** An upload that a killed command left, or a new one where that upload is too old or used. */
async function continued(sending: Sending, { uploadId }: Remembered): Promise<Upload | undefined> {
  if (uploadId === undefined) return undefined;
  try {
    return await show(sending, uploadId);
  } catch (error) {
    if (error instanceof Refused && error.code === 'not_found') return undefined;
    throw error;
  }
}

async function begin({ client, packed }: Sending, journal: Remembered): Promise<Upload> {
  const { sizeBytes, sha256, name } = packed;
  const body = { sizeBytes, sha256, name: name.slice(0, 200) };
  const begun = await answerOf(client.POST('/api/v1/uploads', { body }));
  await journal.keep(begun.uploadId);
  return begun;
}

const show = ({ client }: Sending, id: string): Promise<Upload> =>
  answerOf(client.GET('/api/v1/uploads/{id}', { params: { path: { id } } }));

/** Reads each part from the file while it is sent. */
async function sendParts({ context, packed }: Sending, { parts, partSizeBytes }: Upload): Promise<void> {
  const content = await openAsBlob(packed.file);
  for (const [index, { partNumber, sizeBytes, url, headers }] of parts.entries()) {
    context.progress(`Sending ${packed.name}: part ${index + 1} of ${parts.length}`);
    const from = (partNumber - 1) * partSizeBytes;
    try {
      const body = content.slice(from, from + sizeBytes);
      const answer = await fetch(url, { method: 'PUT', headers, body, signal: context.signal });
      await answer.body?.cancel();
      if (!answer.ok) context.note(`A part of ${packed.name} was answered ${answer.status}; trying again.`);
    } catch (error) {
      context.signal.throwIfAborted();
      context.note(`A part of ${packed.name} was lost (${reasonOf(error)}); trying again.`);
    }
  }
}
