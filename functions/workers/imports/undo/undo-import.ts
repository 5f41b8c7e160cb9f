import * as z from 'zod';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import { keptDocuments, statedDocuments } from '#shared/findings/suppression/stated-document.ts';
import { recentScans } from '#shared/findings/view/recent-scans.ts';
import { readScope } from '#shared/findings/view/scan-scope.ts';
import { stateOf } from '#shared/findings/view/scan-state.ts';
import { keepState, replacedState } from '#shared/findings/view/scope-state.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import { familyOf } from '#shared/ingest/submission.ts';
import { taskRows, taskWrite } from '#shared/platform/jobs/task.ts';
import { endsTask, type Work } from '#shared/platform/jobs/worker.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { isConflict } from '#shared/platform/runtime/retry.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import { acquireScope } from '../acquire-scope.ts';
import { endTask } from '../finish.ts';
import { importFiles } from '../import-files.ts';
import { undoInventory } from '../inventory/undo-inventory.ts';
import { forgetLooks } from '../last-scans.ts';
import { changeImport } from '../record-import.ts';
import { decideUndo } from './decide-undo.ts';
import { openUndo, selectUndone, type Undo } from './undo.ts';
import { undoAssets } from './undo-assets.ts';
import { stateWithout } from './undone-state.ts';

const Input = z.object({ scope: z.string(), undoes: z.uuid() });

/**
 * Takes an import back: what it alone created is deleted, what it closed is open again, what it opened again is fixed. It holds
 * the import's scope meanwhile, so that no other report of the scope is applied to half of that.
 */
export async function undoImport(work: Work): Promise<undefined> {
  const { scope, undoes } = Input.parse(work.task.input);
  if (work.preview) return void (await changed(work, await openUndo(work, await readScope(work.table, scope), undoes)));
  const row = await acquireScope(work, scope);
  if (!row) return;
  try {
    const undo = await openUndo(work, row, undoes);
    const result = await changed(work, undo);
    if (result) await finish(await asNow(work), undo, result);
  } catch (error) {
    if (isConflict(error)) throw new Error(`undoing import ${undoes} stopped`, { cause: error });
    if (!endsTask(error)) throw error;
    const { code, message } = error;
    await endTask(await asNow(work), scope, { task: { status: 'failed', error: { code, message } } });
  }
}

const changed = (work: Work, undo: Undo) =>
  changeMany(work, {
    ...(undo.documentId === undefined && { entity: undo.entity }),
    select: () => selectUndone(undo),
    decide: decideUndo(undo),
    whole: true,
  });

/** The work with its task as it is after the slices. */
async function asNow(work: Work): Promise<Work> {
  const task = await work.table.rows(taskRows).find({ id: work.task.id }, true);
  return { ...work, task: task ?? work.task };
}

async function finish(work: Work, undo: Undo, done: Record<string, unknown>): Promise<void> {
  const { table, task, connections } = work;
  const { scope, taskId, submission, at } = undo;
  const { deleted = 0, opened = 0, fixed = 0, restored = 0, released = 0 } = Object(done.kinds);
  const inventory = await undoInventory(undo);
  await forgetLooks(work, taskId);
  const assets = await undoAssets(undo);
  const current = await table.findUnique(importedReports, { field: 'task', value: taskId }, true);
  const unrestored = Math.max(0, (current?.counts.updated ?? restored) - restored);
  const kept = { kept: done.refused, keptCount: Number(done.refusedCount) };
  const result = { deleted, opened, fixed, restored, unrestored, released, inventory, assets, ...kept };
  const left = await keepState(work, scope, stateOf(await stateWithout(undo)));
  const forgotten = { remove: rowKey(table.tenant, recentScans, { family: familyOf(submission), at, taskId }) };
  const heldBy = undo.row.heldBy === taskId ? null : undefined;
  const undone = { taskId: task.id, at: now(), by: task.createdBy ?? systemActor };
  const also = async (batch: Batch) => {
    await endImport(work, batch, taskId);
    if (undo.documentId !== undefined)
      for (const kind of [statedDocuments, keptDocuments])
        batch.write({ remove: rowKey(table.tenant, kind, { id: undo.documentId }) });
    await changeImport({ batch, table }, taskId, () => ({
      status: 'undone',
      held: null,
      undone: { ...undone, deleted, opened, fixed, kept: result.keptCount },
    }));
  };
  const lastScan = undo.row.lastScan?.taskId === taskId ? null : undefined;
  const scanned = { left, writes: [forgotten], heldBy, lastScan };
  await endTask(work, scope, { task: { status: 'succeeded', result }, scanned, also });
  const { held, proof, closed, reopened, looked, statedBy } = importFiles(table.organizationId, taskId);
  const old = replacedState(undo.row, left);
  await connections.bucket.remove([held, proof, closed, reopened, looked, statedBy, ...old]);
}

/** An import that failed half-way ends for good: redriving its message must not apply the rest of its report. */
async function endImport({ table, task }: Work, batch: Batch, taskId: string): Promise<void> {
  const current = await table.rows(taskRows).find({ id: taskId }, true);
  if (!current || current.status === 'succeeded') return;
  const error = { code: 'undone', message: `The import was undone by task ${task.id}.` };
  batch.write(taskWrite(table, current, { status: 'failed', error, finishedAt: current.finishedAt ?? now() }));
}
