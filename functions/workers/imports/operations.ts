import type { ScopeRow } from '#shared/findings/view/scan-scope.ts';
import { INGEST_OPERATION } from '#shared/ingest/accept.ts';
import type { ImportedReport } from '#shared/ingest/imported-report.ts';
import { endsTask, TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { isConflict } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { Input, openAccepted, workOf } from './accepted.ts';
import { acquireScope } from './acquire-scope.ts';
import { closeHeld } from './confirm-closing.ts';
import { endTask, giveUp, wakeNext } from './finish.ts';
import type { Accepted } from './phases.ts';
import { importReport } from './recipe.ts';
import { recordImport, recordLost } from './record-import.ts';
import { removeReport } from './sent-report.ts';
import { type Slice, startSlice, workSlice } from './slicer.ts';
import { undoImport } from './undo/undo-import.ts';

export const imports = { ingest_report: runImport, close_held_findings: runImport, undo_import: undoImport };

export const isImport = ({ task }: Pick<Work, 'task'>): boolean => Object.hasOwn(imports, task.operation);

/** The steps after the end of an import, which its worker may not have reached. */
export async function afterImport(work: Work): Promise<void> {
  await wakeNext(work, Input.parse(work.task.input).scope);
  await removeReport(work);
}

export const giveUpImport = (work: Work): Promise<void> => giveUp(work, Input.parse(work.task.input).scope);

/** One message of an import: as much of a report as a slice has time for. The task is ended here, with its scope. */
async function runImport(work: Work): Promise<undefined> {
  const { scope: id, confirms } = Input.parse(work.task.input);
  const scope = await acquireScope(work, id);
  const accepted = scope && (await openOrEnd(work, scope));
  if (!accepted) return;
  const slice = startSlice(accepted);
  try {
    await (confirms ? closeHeld(accepted, confirms) : workSlice(importReport, slice));
  } catch (error) {
    // A conflict that stays is not the report's fault: the message comes again.
    if (isConflict(error))
      throw new Error(`the import of task ${work.task.id} stopped at the step ${slice.step}`, { cause: error });
    if (!endsTask(error)) throw error;
    const { code, message } = error;
    const also = (batch: Batch) => recordFailure(batch, slice, { code, message });
    await endTask(workOf(accepted), id, { task: { status: 'failed', error: { code, message } }, also });
    await removeReport(work);
  }
}

/** @returns undefined where the task has ended, because a file is missing that it needs */
async function openOrEnd(work: Work, scope: ScopeRow): Promise<Accepted | undefined> {
  try {
    return await openAccepted(work, scope);
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    const { code, message } = error;
    const failed = { status: 'failed' as const, error: { code, message } };
    const isImport = work.task.operation === INGEST_OPERATION;
    const also = async (batch: Batch) =>
      isImport ? recordLost(batch, { ...work, task: { ...work.task, ...failed } }) : undefined;
    await endTask(work, scope.id, { task: failed, also });
    return undefined;
  }
}

/** A confirmed closing that fails leaves the import as it was. */
async function recordFailure(batch: Batch, { phase }: Slice, error: ImportedReport['error']): Promise<void> {
  if (phase.progress.task.operation === INGEST_OPERATION)
    await recordImport(batch, { ...phase, ...phase.progress }, { status: 'failed', error });
}
