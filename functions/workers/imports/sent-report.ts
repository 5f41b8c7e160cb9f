import { INGEST_OPERATION } from '#shared/ingest/accept.ts';
import { type StoredSubmission, taskFiles } from '#shared/ingest/submission.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';

/** The place of the report as it was sent. */
export const sentReport = ({ report }: Pick<StoredSubmission, 'report'>): string =>
  'upload' in report ? report.upload.key : report.key;

/**
 * Removes the report of an import that ended, if it may quote secrets: the content is unknown of a report that could not be read, or
 * whose worker stopped at its end.
 */
export async function removeReport({ connections: { bucket }, table, task }: Work): Promise<void> {
  if (task.operation !== INGEST_OPERATION) return;
  const { submission: key } = taskFiles(table.organizationId, task.id);
  const submission = await readJson<StoredSubmission>(bucket, key);
  if (submission) await bucket.remove([sentReport(submission)]);
}
