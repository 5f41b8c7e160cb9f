import { RECENT_SECONDS } from '#shared/findings/view/recent-scans.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { conflict, notFound } from '#shared/platform/runtime/errors.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { type ImportedReport, importedReports } from './imported-report.ts';
import { type StoredSubmission, scopeOf, taskFiles } from './submission.ts';

/**
 * The task that undoes an import.
 * @throws not_found, conflict with the reason why it cannot be undone
 */
export async function importUndo({ connections, table }: Context, taskId: string) {
  const current = await table.findUnique(importedReports, { field: 'task', value: taskId }, true);
  if (!current) throw notFound('import', taskId);
  assertUndoable(current);
  const submission = await readJson<StoredSubmission>(
    connections.bucket,
    taskFiles(table.organizationId, taskId).submission,
  );
  if (!submission) throw tooOld(taskId);
  const input = { scope: scopeOf(submission, submission.format), undoes: taskId };
  return { operation: 'undo_import', unit: 'findings', input } as const;
}

function assertUndoable(current: ImportedReport): void {
  const { taskId, status, receivedAt } = current;
  if (status === 'undone') throw conflict(`The import ${taskId} was undone already.`);
  if (!canBeUndone(current)) throw conflict(`The import ${taskId} failed before it changed a finding.`);
  if (receivedAt < inSeconds(-RECENT_SECONDS)) throw tooOld(taskId);
}

/** An import that failed half-way has made, closed, opened or changed findings, too. */
export const canBeUndone = ({ status, counts: { created, closed, reopened, updated } }: ImportedReport): boolean =>
  status === 'succeeded' || (status === 'failed' && created + closed + reopened + updated > 0);

/** The scans since are known for so long. */
const tooOld = (taskId: string) =>
  conflict(
    `The import ${taskId} is more than ${RECENT_SECONDS / 86_400} days old: the later scans that saw its findings are no longer ` +
      'known.',
  );
