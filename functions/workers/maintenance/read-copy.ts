import * as z from 'zod';
import { TaskFailure } from '#shared/platform/jobs/worker.ts';
import { checksumOf, keysPage } from '#shared/platform/runtime/bucket-parts.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import {
  CopiedObjects,
  objectsPrefix,
  readCopiedRows,
  withDigests,
  withObjects,
} from '#shared/platform/table/upkeep/copies.ts';
import type { Restored } from './restore-steps.ts';

/** How much of a copy the task has read and compared with its manifest, before it removes anything. */
export const CopyRead = z.object({
  files: z.int().default(0),
  digest: z.string().default('0'),
  ...CopiedObjects.shape,
  object: z.string().optional(),
  isWhole: z.boolean().default(false),
});
type CopyRead = z.infer<typeof CopyRead>;

const damaged = (message: string) => new TaskFailure('copy_damaged', message);

/**
 * Reads one more file of rows, or one more page of objects. @throws TaskFailure for a copy that differs from its
 * manifest
 */
export const readOn = (restored: Restored, read: CopyRead): Promise<CopyRead> =>
  read.files < restored.manifest.files ? readFile(restored, read) : readObjects(restored, read);

async function readFile({ work, place, manifest }: Restored, read: CopyRead): Promise<CopyRead> {
  const rows = await readCopiedRows(work.connections.bucket, place, read.files).catch((cause: unknown) => {
    throw damaged(`A file of the copy cannot be read: ${cause}`);
  });
  const [files, digest] = [read.files + 1, withDigests(read.digest, rows)];
  if (files === manifest.files && digest !== manifest.digest)
    throw damaged('The files of the copy are not as they were written.');
  return { ...read, files, digest };
}

const ASKED_AT_ONCE = 20;

/** Copies of earlier releases have no digest of their objects. */
async function readObjects({ work, place, manifest }: Restored, read: CopyRead): Promise<CopyRead> {
  const { bucket } = work.connections;
  const prefix = objectsPrefix(place);
  const { objects, objectsDigest = '0' } = read;
  const keys = await keysPage(bucket, { prefix, after: read.object });
  if (keys.length > 0) {
    const some = await eachAtOnce(keys, ASKED_AT_ONCE, async (key) => ({
      key: key.slice(prefix.length),
      checksum: await checksumOf(bucket, key),
    }));
    const next = { objects: objects + some.length, objectsDigest: withObjects(objectsDigest, some) };
    return { ...read, ...next, object: keys.at(-1) };
  }
  if (manifest.objectsDigest !== undefined && manifest.objectsDigest !== objectsDigest)
    throw damaged(`The ${objects} objects of the copy are not the ${manifest.objects} that were written.`);
  return { ...read, isWhole: true };
}
