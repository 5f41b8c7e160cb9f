import * as z from 'zod';
import { exportFiles } from '#shared/platform/exports/export.ts';
import { START } from '#shared/platform/exports/records-file.ts';
import { type TaskRow, taskStep } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { Place, type Source } from './file.ts';
import { sourceOf } from './source.ts';

/** The progress of an export, stored after each part of its file. */
const Checkpoint = z.object({
  /** How many of the selected records were read, and how many of these were written: the others were deleted since. */
  next: z.int(),
  total: z.int().optional(),
  findings: z.int(),
  sizeBytes: z.int(),
  place: Place,
  /** S3's id of the file's parts, and the entity tag of each that is put. */
  uploadId: z.string().optional(),
  tags: z.array(z.string()),
  /** Bytes that are too few for a part, at the beginning of an object of their own. */
  rest: z.int().optional(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** An export that is being worked. `task` and `checkpoint` are as they were last written. */
export type Session = Pick<Work, 'table' | 'connections'> & {
  task: TaskRow;
  source: Source;
  files: ReturnType<typeof exportFiles>;
  checkpoint: Checkpoint;
  /** The ordinals of the records, in the order of the file. */
  ordinals: readonly number[];
  rest: Uint8Array;
};

/** The parts that are written, or the selection, are no longer in the bucket. */
export class LostFile extends Error {}

export async function openSession(work: Work): Promise<Session> {
  const { table, connections, task } = work;
  const source = sourceOf(work);
  const files = exportFiles(table.organizationId, task.id);
  const session = { table, connections, task, source, files };
  const kept = async (key: string) => {
    const content = await connections.bucket.get(key);
    if (!content) throw new LostFile();
    return content;
  };
  if (task.checkpoint) {
    const checkpoint = Checkpoint.parse(task.checkpoint);
    const ordinals = 'page' in source ? [] : unpack(await kept(files.selection));
    // a worker that was killed behind it may have written more
    const rest = checkpoint.rest ? (await kept(files.rest)).subarray(0, checkpoint.rest) : new Uint8Array();
    return { ...session, checkpoint, ordinals, rest };
  }
  const ordinals = 'page' in source ? [] : await source.select();
  if (!('page' in source)) await connections.bucket.put(files.selection, pack(ordinals));
  const checkpoint: Checkpoint = { next: 0, findings: 0, sizeBytes: 0, place: START, tags: [] };
  return { ...session, checkpoint, ordinals, rest: new Uint8Array() };
}

/** Stores the progress of the work. Fails when another worker has continued the task. @returns the updated task */
export async function saveCheckpoint(
  { table, task }: Pick<Work, 'table' | 'task'>,
  checkpoint: Checkpoint | undefined,
): Promise<TaskRow> {
  const progress = { ...task.progress, done: checkpoint?.next ?? 0, total: checkpoint?.total };
  const { next, write } = taskStep(table, task, { checkpoint, progress });
  await table.write(write);
  return next;
}

/** Five bytes hold the 40 bits of an ordinal. */
const BYTES = 5;

function pack(ordinals: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(ordinals.length * BYTES);
  for (const [n, ordinal] of ordinals.entries()) bytes.writeUIntBE(ordinal, n * BYTES, BYTES);
  return bytes;
}

function unpack(packed: Uint8Array): number[] {
  const bytes = Buffer.from(packed);
  return Array.from({ length: bytes.length / BYTES }, (_, n) => bytes.readUIntBE(n * BYTES, BYTES));
}
