import * as z from 'zod';
import { organizations } from '#shared/credentials/organization.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { copyObject, keysPage } from '#shared/platform/runtime/bucket-parts.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import {
  CopiedObjects,
  copyNextFile,
  isCopiedObject,
  objectsPrefix,
  RowsRead,
  withObjects,
  writeManifest,
} from '#shared/platform/table/upkeep/copies.ts';
import { continueLater, sliceEnd } from './slice.ts';

const Input = z.object({ organizationId: z.uuid() });

const Checkpoint = RowsRead.extend({
  part: z.enum(['rows', 'objects']).default('rows'),
  object: z.string().optional(),
  ...CopiedObjects.shape,
  slice: z.int().default(0),
});
type Checkpoint = z.infer<typeof Checkpoint>;

/**
 * Copies every row and object of an organization within the bucket, while it works. The copy has the id of the task. A file or object
 * that was written before the worker died is written again.
 */
export async function copyOrganization(work: Work): Promise<Record<string, unknown> | undefined> {
  const { task, connections } = work;
  const { organizationId } = Input.parse(task.input);
  const place = { organizationId, copyId: task.id };
  const isOver = sliceEnd();
  let at = Checkpoint.parse(task.checkpoint ?? {});
  for (let isDone = false; !isDone; ) {
    if (isOver()) return continueLater(work, { checkpoint: { ...at, slice: at.slice + 1 }, progress: progressOf(at) });
    if (at.part === 'rows') {
      const { row, ...read } = await copyNextFile({ ...connections, place }, at);
      at = { ...at, ...read, row, part: row ? 'rows' : 'objects' };
    } else {
      const next = await copyObjects(work, place, at);
      if (next) at = next;
      isDone = next === undefined;
    }
  }
  const { name } = await openTable(connections.dynamo, GLOBAL_SCOPE).get(organizations, organizationId, true);
  const { files, rows, digest, objects, objectsDigest = '0' } = at;
  await writeManifest(connections.bucket, place.copyId, {
    organizationId,
    name,
    at: null,
    files,
    rows,
    digest,
    objects,
    objectsDigest,
  });
  return { copyId: place.copyId, rows, objects, digest };
}

const progressOf = ({ rows, objects }: Checkpoint) => ({ done: rows + objects, unit: 'rows and objects' });

const COPIED_AT_ONCE = 20;

/** @returns undefined at the end of the bucket */
async function copyObjects(
  { connections: { bucket } }: Work,
  place: { organizationId: string; copyId: string },
  at: Checkpoint,
): Promise<Checkpoint | undefined> {
  const keys = await keysPage(bucket, { after: at.object });
  const last = keys.at(-1);
  if (last === undefined) return undefined;
  const theirs = keys.filter((key) => isCopiedObject(place.organizationId, key));
  let { objects, objectsDigest = '0' } = at;
  for (const some of chunksOf(theirs, COPIED_AT_ONCE)) {
    const made = (await Promise.all(some.map((key) => copyCurrent(bucket, key, objectsPrefix(place))))).flat();
    objects += made.length;
    objectsDigest = withObjects(objectsDigest, made);
  }
  return { ...at, object: last, objects, objectsDigest };
}

/** @returns none for an object that went while the bucket was read: a worker that died may have copied it before */
async function copyCurrent(bucket: Bucket, key: string, prefix: string): Promise<{ key: string; checksum: string }[]> {
  try {
    return [{ key, checksum: await copyObject(bucket, key, `${prefix}${key}`) }];
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NoSuchKey') throw error;
    await bucket.remove([`${prefix}${key}`]);
    return [];
  }
}
