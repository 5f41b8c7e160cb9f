import * as z from 'zod';
import { organizations } from '#shared/entities/organization.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { copyObject, keysPage } from '#shared/runtime/bucket-parts.ts';
import { chunksOf } from '#shared/runtime/chunks.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { openTable } from '#shared/table/table.ts';
import { copyNextFile, isCopiedObject, objectsPrefix, RowsRead, writeManifest } from '#shared/table/upkeep/copies.ts';
import { continueLater, sliceEnd } from './slice.ts';

const Input = z.object({ organizationId: z.uuid() });

const Checkpoint = RowsRead.extend({
  part: z.enum(['rows', 'objects']).default('rows'),
  object: z.string().optional(),
  objects: z.int().default(0),
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
  const { files, rows, digest, objects } = at;
  await writeManifest(connections.bucket, place.copyId, {
    ...{ organizationId, name, at: null },
    ...{ files, rows, digest, objects },
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
  let objects = at.objects;
  for (const some of chunksOf(theirs, COPIED_AT_ONCE)) {
    const made = await Promise.all(some.map((key) => copyStanding(bucket, key, `${objectsPrefix(place)}${key}`)));
    objects += made.filter(Boolean).length;
  }
  return { ...at, object: last, objects };
}

/** @returns false for an object that went while the bucket was read */
async function copyStanding(bucket: Parameters<typeof copyObject>[0], from: string, to: string): Promise<boolean> {
  try {
    await copyObject(bucket, from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return false;
    throw error;
  }
}
