import { FINDING_COLLECTIONS } from '#shared/findings/view/find.ts';
import { type Work, workerHandler } from '#shared/platform/jobs/worker.ts';
import { wakeViewsSoon } from '#shared/platform/views/wake.ts';
import { changes, previewed } from '../changes/operations.ts';
import { previewWith } from '../changes/preview.ts';
import { afterImport, giveUpImport, imports, isImport } from '../imports/operations.ts';
import { results } from './results.ts';

/** Imports, and changes of many records of an organization, one after the other: none fails for the sake of another. */
const works: Record<keyof typeof results, (work: Work) => Promise<Record<string, unknown> | undefined>> = {
  ...imports,
  ...changes,
  preview_change: previewWith({ ...previewed, undo_import: imports.undo_import }),
};

const isKnown = (operation: string): operation is keyof typeof works => Object.hasOwn(works, operation);

async function run(work: Work): Promise<Record<string, unknown> | undefined> {
  const { operation } = work.task;
  if (!isKnown(operation)) throw new Error(`the operation ${operation}, which nobody works`);
  const result = await works[operation](work);
  // not before the end: a long import would share its time with the views
  if (result) await wakeViewsSoon(work);
  return result;
}

export const handler = workerHandler('ingest', run, {
  results,
  finished: async (work) => (isImport(work) ? afterImport(work) : undefined),
  async deadLettered(work) {
    if (isImport(work)) await giveUpImport(work);
    for (const entity of FINDING_COLLECTIONS) await work.table.workJournal(entity);
  },
});
