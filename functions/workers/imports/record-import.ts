import { type ImportedReport, importedReports } from '#shared/ingest/imported-report.ts';
import { type StoredSubmission, taskFiles } from '#shared/ingest/submission.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { changesIn } from '#shared/scanning/engagements/finding-changes.ts';
import { scanEndTimer } from '#shared/scanning/scanner-tasks/scan-end.ts';
import type { Manifest } from './manifest.ts';
import { type Checkpoint, checkpointOf } from './progress.ts';

type Ended = Pick<Work, 'table'> & {
  task: TaskRow;
  submission: StoredSubmission;
  checkpoint: Pick<Checkpoint, 'counts' | 'severities'>;
  manifest?: Pick<Manifest, 'toolNames' | 'rejectedCount'> | undefined;
};
type End = Pick<ImportedReport, 'status'> & Partial<Pick<ImportedReport, 'held' | 'error' | 'incomplete'>>;

/** Adds an import to the history of its organization, in the transaction that ends its task. */
export async function recordImport(batch: Batch, ended: Ended, end: End): Promise<void> {
  const { table, task } = ended;
  const fields = { ...factsOf(ended), ...end };
  if (fields.scannerTaskId && !fields.engagementId) batch.write(scanEndTimer(table, fields.scannerTaskId));
  // one that failed for good is there already, and is worked again when its message is redriven
  const [current, [id = '']] = await Promise.all([findImport(table, task.id), table.reserve(importedReports, 1)]);
  if (current) batch.update(importedReports, current, table.changed(current, fields));
  else {
    const record = { ...table.stamp<ImportedReport>({ ...fields, id }), createdBy: task.createdBy ?? systemActor };
    batch.create(importedReports, record);
  }
}

/** The record of the import that a task worked; an import of an earlier release has none. */
const findImport = (table: Table, taskId: string) =>
  table.findUnique(importedReports, { field: 'task', value: taskId }, true);

/** Changes the record of an earlier import, if there is one. */
export async function changeImport(
  { batch, table }: { batch: Batch; table: Table },
  taskId: string,
  change: (current: ImportedReport) => Partial<ImportedReport>,
): Promise<void> {
  const current = await findImport(table, taskId);
  if (current) batch.update(importedReports, current, table.changed(current, change(current)));
}

/** More tools than any report names; each is a row of the index. */
const MAX_TOOLS = 10;

function factsOf({ task, submission, checkpoint, manifest }: Ended) {
  const {
    target = null,
    zone,
    ref,
    commit,
    scanType,
    part,
    engagementId,
    scannerTaskId,
    runId,
    format,
    source,
    targetOnly: ofTarget,
  } = submission;
  return {
    taskId: task.id,
    source,
    format,
    target,
    ...(ofTarget && { ofTarget }),
    tools: (manifest?.toolNames ?? []).slice(0, MAX_TOOLS),
    zone: zone ?? null,
    ref: ref ?? null,
    commit: commit ?? null,
    scanType: scanType ?? null,
    part: part ?? null,
    engagementId: engagementId ?? null,
    scannerTaskId: scannerTaskId ?? null,
    runId: runId ?? null,
    receivedAt: task.createdAt,
    counts: { ...checkpoint.counts, rejected: manifest?.rejectedCount ?? 0 },
    bySeverity: changesIn(checkpoint.severities),
    held: null,
    incomplete: undefined,
    error: null,
    undone: null,
  };
}

/** Adds an import whose task failed for good, of which only its files are known. */
export async function recordLost(batch: Batch, { table, connections, task }: Work): Promise<void> {
  const { submission: key } = taskFiles(table.organizationId, task.id);
  const submission = await readJson<StoredSubmission>(connections.bucket, key);
  if (!submission) return;
  const checkpoint = checkpointOf(task);
  await recordImport(batch, { table, task, submission, checkpoint }, { status: 'failed', error: task.error ?? null });
}
