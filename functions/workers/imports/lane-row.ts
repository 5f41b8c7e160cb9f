import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Counted } from './sum-counts.ts';

/** The progress of an import with the second lane of a chunk: the first line that is not applied, and the counts of the lines before it. */
export type LaneRow = Counted & { taskId: string; chunk: number; line: number };

type Kept = LaneRow & { expiresAt: string };

export const laneRows = defineRow<Kept, Pick<Kept, 'taskId'>>({
  name: 'import-lane',
  about: 'how far an import is with the second half of a chunk, which is written beside the first half',
  key: ({ taskId }) => [taskId],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** The row outlives a message that waits to be redriven. */
const KEPT_SECONDS = 30 * 86_400;

export const readLane = (table: Table, taskId: string): Promise<LaneRow | undefined> =>
  table.rows(laneRows).find({ taskId }, true);

export const laneWrite = (table: Table, current: LaneRow | undefined, next: LaneRow) =>
  putWrite(table.scope, laneRows, {
    row: { ...next, expiresAt: inSeconds(KEPT_SECONDS) },
    expect: current ? { chunk: current.chunk, line: current.line } : 'absent',
    fail: () => new Overtaken(),
  });
