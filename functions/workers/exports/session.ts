import * as z from 'zod';
import type { findings } from '#shared/entities/finding.ts';
import { EXPORT_COLUMNS, ExportFormat, type ExportInput, exportFiles } from '#shared/findings/export.ts';
import { collectionOf } from '#shared/findings/find.ts';
import { type TaskRow, taskStep } from '#shared/jobs/task.ts';
import type { Work } from '#shared/jobs/worker.ts';
import type { Selection } from '#shared/table/list.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/table/selected.ts';
import type { Table } from '#shared/table/table.ts';
import { Place, START } from './file.ts';

const Input: z.ZodType<ExportInput> = z.object({
  format: ExportFormat,
  columns: z.array(z.enum(EXPORT_COLUMNS)).optional(),
  selection: z.custom<Selection>(),
});

/** The progress of an export, stored after each part of its file. */
const Checkpoint = z.object({
  /** How many of the selected findings were looked at, and how many of these are written: others were deleted since. */
  next: z.int(),
  findings: z.int(),
  sizeBytes: z.int(),
  place: Place,
  /** S3's id of the file's parts, and the entity tag of each that is put. */
  uploadId: z.string().optional(),
  tags: z.array(z.string()),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** An export that is being worked. `task` and `checkpoint` are as they were last written. */
export type Session = Pick<Work, 'table' | 'connections'> & {
  task: TaskRow;
  input: ExportInput;
  files: ReturnType<typeof exportFiles>;
  checkpoint: Checkpoint;
  /** Where the findings of the file lie, in the order of the file. */
  ordinals: readonly number[];
};

/** The parts that are written, or the selection, are no longer in the bucket. */
export class LostFile extends Error {}

export async function openSession(work: Work): Promise<Session> {
  const { table, connections, task } = work;
  const input = Input.parse(task.input);
  const files = exportFiles(table.organizationId, task.id);
  if (task.checkpoint) {
    const kept = await connections.bucket.get(files.selection);
    if (!kept) throw new LostFile();
    return {
      table,
      connections,
      task,
      input,
      files,
      checkpoint: Checkpoint.parse(task.checkpoint),
      ordinals: unpack(kept),
    };
  }
  const ordinals = await select(table, input);
  await connections.bucket.put(files.selection, pack(ordinals));
  const checkpoint: Checkpoint = { next: 0, findings: 0, sizeBytes: 0, place: START, tags: [] };
  return { table, connections, task, input, files, checkpoint, ordinals };
}

/** Stores how far the work is. Fails when another worker has gone on with the task. @returns the task as it is now */
export async function saveCheckpoint(
  { table, task, ordinals }: Pick<Work, 'table' | 'task'> & Partial<Session>,
  checkpoint: Checkpoint | undefined,
): Promise<TaskRow> {
  const progress = { ...task.progress, done: checkpoint?.next ?? 0, total: ordinals?.length };
  const { next, write } = taskStep(table, task, { checkpoint, progress });
  const batch = table.batch();
  batch.write(write);
  await batch.commit();
  return next;
}

/** Newest first; a SARIF file has a run for each tool, so its findings come tool by tool. */
async function select(table: Table, { selection, format }: ExportInput): Promise<readonly number[]> {
  const entity = await collectionOf(table, selection);
  const ordinals = await ordinalsOf(table, entity, selection);
  return format === 'sarif' ? byTool(table, entity, ordinals) : ordinals;
}

async function byTool(table: Table, entity: typeof findings, ordinals: readonly number[]): Promise<number[]> {
  const left = new Set(ordinals);
  const ordered: number[] = [];
  for (const newest of ordinals) {
    if (!left.has(newest)) continue;
    const [finding] = await wholeRecordsAt(table, entity, { ordinals: [newest] });
    const same = finding ? await ordinalsOf(table, entity, { where: { tool: finding.tool } }) : [];
    ordered.push(...same.filter((ordinal) => left.delete(ordinal)));
    left.delete(newest);
  }
  return ordered;
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
