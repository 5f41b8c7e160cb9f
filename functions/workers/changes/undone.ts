import * as z from 'zod';
import type { ManyResult } from '#shared/findings/bulk/decision.ts';
import type { Undone } from '#shared/findings/bulk/define-bulk.ts';
import { readUndoable } from '#shared/findings/bulk/undo-rows.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';

const Undoing = z.object({ undoes: z.uuid() });

/** The task that this one undoes. */
export const undoesOf = ({ task }: Work): string => Undoing.parse(task.input).undoes;

/** The task that this one undoes, and all its changes by the id of the record. */
export async function readUndone(work: Work): Promise<Undone> {
  const undoes = undoesOf(work);
  return { undoes, known: new Map((await readUndoable(work.table, undoes)).map((one) => [one.id, one])) };
}

/** The result of an undo. */
export const undoneOf = (result: ManyResult | undefined) =>
  result && {
    matched: result.matched,
    restored: result.changed,
    changedSince: result.refused,
    changedSinceCount: result.refusedCount,
  };
