import type { Work } from '#shared/platform/jobs/worker.ts';
import { Input } from './accepted.ts';
import { giveUp, wakeNext } from './finish.ts';
import { runImport } from './run.ts';
import { removeReport } from './sent-report.ts';
import { undoImport } from './undo/undo-import.ts';

export const imports = { ingest_report: runImport, close_held_findings: runImport, undo_import: undoImport };

export const isImport = ({ task }: Pick<Work, 'task'>): boolean => Object.hasOwn(imports, task.operation);

/** The steps after the end of an import, which its worker may not have reached. */
export async function afterImport(work: Work): Promise<void> {
  await wakeNext(work, Input.parse(work.task.input).scope);
  await removeReport(work);
}

export const giveUpImport = (work: Work): Promise<void> => giveUp(work, Input.parse(work.task.input).scope);
