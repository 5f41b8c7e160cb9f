import type { Batch } from '#shared/platform/table/batch.ts';
import { type LaneRow, laneWrite } from './lane-row.ts';
import type { Read } from './phases.ts';
import { commitTo, type Progress } from './progress.ts';
import { type Counted, NOTHING_COUNTED } from './sum-counts.ts';

/** The progress of a lane: the first line that is not applied, and the counts of the lines before it. */
type Reached = { line: number; counted: Counted };

/** Lines of a chunk whose batches follow each other, from the first that is not applied. */
export type Lane = Reached & { to: number; save: (batch: Batch, reached: Reached) => Promise<void> };

/** A chunk of fewer lines is written in one lane: each lane costs a row that says how far it is. */
const LINES_FOR_TWO = 200;

/**
 * The lanes of the chunk at the checkpoint: two halves of a large one, whose transactions are on their way at once. Each has its progress in a row of
 * its own, because two transactions must not meet on one: the first half in the task's, which counts the chunks before too. A worker that was thought
 * dead and its successor meet on these rows, so that a line is applied once.
 */
export function lanesOf(read: Read, lines: number): [Lane] | [Lane, Lane] {
  const { progress } = read;
  const { checkpoint } = progress;
  const middle = lines < LINES_FOR_TWO ? lines : Math.ceil(lines / 2);
  const first: Lane = {
    line: checkpoint.line,
    counted: checkpoint,
    to: middle,
    save: (batch, { line, counted }) => commitTo(read, batch, { ...progress.checkpoint, ...counted, line }),
  };
  if (middle === lines) return [first];
  const { line, ...counted } = secondOf(progress) ?? { line: 0, ...NOTHING_COUNTED };
  const from = Math.max(middle, line);
  return [first, { line: from, counted, to: lines, save: (batch, reached) => saveSecond(read, batch, reached) }];
}

/** The progress of the second half of the chunk at the checkpoint, if anything of it was written. */
export const secondOf = ({ lane, checkpoint }: Progress): LaneRow | undefined =>
  lane?.chunk === checkpoint.chunk ? lane : undefined;

async function saveSecond({ table, taskId, progress }: Read, batch: Batch, { line, counted }: Reached): Promise<void> {
  const { lane, checkpoint } = progress;
  const { counts, severities, openBefore } = counted;
  const next = { taskId, chunk: checkpoint.chunk, line, counts, severities, openBefore };
  batch.write(laneWrite(table, lane, next));
  await batch.commit();
  progress.lane = next;
}
