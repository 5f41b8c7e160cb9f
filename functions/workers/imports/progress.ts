import * as z from 'zod';
import { type TaskRow, taskStep } from '#shared/platform/jobs/task.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import type { Manifest } from './manifest.ts';
import { Counts } from './results.ts';

const Stated = z.object({
  below: z.int(),
  named: z.int(),
  settled: z.int(),
  released: z.int(),
  kept: z.int(),
  unproven: z.int(),
});
/** The findings that the statements of a VEX document name, by what became of them. */
export type StatedCount = z.infer<typeof Stated>;
export const NOTHING_STATED: StatedCount = {
  below: Number.MAX_SAFE_INTEGER,
  named: 0,
  settled: 0,
  released: 0,
  kept: 0,
  unproven: 0,
};

/** The progress of the work. Written in the transaction of each batch, so that a batch is applied once. */
export const Checkpoint = z.object({
  /** The chunk being applied, and how many of its lines are. */
  chunk: z.int(),
  line: z.int(),
  /** Ordinals that are reserved for new findings of this report, how many of them chunks have taken, and in which order. */
  range: z.object({ first: z.int(), size: z.int(), used: z.int(), pairs: z.boolean() }).optional(),
  /** Ids of the chunk's new findings, kept for a retry: their first place in the range, and the lines as bits. */
  reserved: z.object({ first: z.int(), lines: z.string() }).optional(),
  counts: Counts,
  /** The number of findings by kind of change and severity: `created:high`. */
  severities: z.record(z.string(), z.int()),
  /** Findings of the scope that were open before and are seen again. */
  openBefore: z.int(),
  /** How far a VEX document was applied: to the findings from this ordinal up. */
  stated: Stated.optional(),
  /** The key of the scan scope's state with which the first chunk was compared; empty where there was none. */
  comparedWith: z.string().optional(),
  /** Closing has begun: it goes on, without being held. */
  closing: z.literal(true).optional(),
  slice: z.int(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

const START: Checkpoint = {
  chunk: 0,
  line: 0,
  counts: { created: 0, updated: 0, unchanged: 0, closed: 0, reopened: 0 },
  severities: {},
  openBefore: 0,
  slice: 0,
};

/** The task and its checkpoint as they were last written. Only this file changes them. */
export type Progress = { task: TaskRow; checkpoint: Checkpoint };

export const checkpointOf = ({ checkpoint }: TaskRow): Checkpoint =>
  checkpoint ? Checkpoint.parse(checkpoint) : START;

/** The rows that `commitTo` adds to each batch. */
export const CHECKPOINT_ROWS = 1;

type AtWork = { table: Table; progress: Progress; manifest?: Manifest };

/** Commits a batch with the checkpoint behind it. */
export async function commitTo(atWork: AtWork, batch: Batch, checkpoint: Checkpoint): Promise<void> {
  const { table, progress } = atWork;
  const { next, write } = taskStep(table, progress.task, { checkpoint, progress: doneOf(atWork, checkpoint) });
  batch.write(write);
  await batch.commit();
  Object.assign(progress, { task: next, checkpoint });
}

export const saveCheckpoint = (atWork: AtWork, checkpoint: Checkpoint): Promise<void> =>
  commitTo(atWork, atWork.table.batch(), checkpoint);

/** Commits the last batch of a chunk. A chunk that changed nothing writes nothing; it is compared again if the work stops here. */
export async function endChunk(atWork: AtWork, batch: Batch, checkpoint: Checkpoint): Promise<void> {
  if (batch.size() > 0) await commitTo(atWork, batch, checkpoint);
  else atWork.progress.checkpoint = checkpoint;
}

/** Counts one more finding of a severity and a kind of change. */
export const oneMore = (
  counted: Checkpoint['severities'],
  kind: string,
  severity: Severity,
): Checkpoint['severities'] => ({
  ...counted,
  [`${kind}:${severity}`]: (counted[`${kind}:${severity}`] ?? 0) + 1,
});

/** Each finding counts once, created or not. */
export function doneOf({ manifest, progress: { task } }: AtWork, { counts }: Checkpoint): TaskRow['progress'] {
  const { created, updated, unchanged, reopened } = counts;
  return { ...task.progress, done: created + updated + unchanged + reopened, total: manifest?.findings };
}
