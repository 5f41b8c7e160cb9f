import * as z from 'zod';
import type { ManyResult } from '#shared/findings/bulk/decision.ts';
import { readUndoable, type Undoable } from '#shared/findings/bulk/undo-rows.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';

const Undoing = z.object({ undoes: z.uuid() });

/** The task that this one undoes. */
export const undoesOf = ({ task }: Work): string => Undoing.parse(task.input).undoes;

/** All that it changed, by the id of the record. */
export async function readUndone(work: Work): Promise<ReadonlyMap<string, Undoable>> {
  return new Map((await readUndoable(work.table, undoesOf(work))).map((one) => [one.id, one]));
}

/** The result of an undoing. */
export const undoneOf = ({ matched, changed, refused, refusedCount }: ManyResult) => ({
  ...{ matched, restored: changed, changedSince: refused, changedSinceCount: refusedCount },
});
