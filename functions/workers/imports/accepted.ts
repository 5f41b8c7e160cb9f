import * as z from 'zod';
import { readFacts } from '#shared/advisories/facts.ts';
import { readSla } from '#shared/findings/sla/sla-policies.ts';
import { readRules } from '#shared/findings/suppression/stored.ts';
import type { ScopeRow } from '#shared/findings/view/scan-scope.ts';
import { readScopeState } from '#shared/findings/view/scope-state.ts';
import type { StoredSubmission } from '#shared/ingest/submission.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import { entityOf, findingsToMerge, readBranch, statesOnDefault } from './branch.ts';
import { changedSince } from './changed-since.ts';
import { importFiles } from './import-files.ts';
import type { Accepted } from './phases.ts';
import { checkpointOf } from './progress.ts';
import { readPlacing } from './read-placing.ts';
import { readRemembered } from './remembered.ts';
import { readDocuments } from './stated/document.ts';

export const Input = z.object({
  scope: z.string(),
  /** The id of an earlier task, when this task closes the findings that the earlier one held back. */
  confirms: z.uuid().optional(),
});

/** Reads what is known before a report is read. @throws TaskFailure where a file is missing */
export async function openAccepted({ table, connections, task }: Work, scopeRow: ScopeRow): Promise<Accepted> {
  const files = importFiles(table.organizationId, task.id);
  const [submission, state, sla] = await Promise.all([
    readJson<StoredSubmission>(connections.bucket, files.submission),
    readScopeState(connections.bucket, table, scopeRow.id),
    readSla(table),
  ]);
  if (!submission)
    throw new TaskFailure('report_missing', 'The report that was sent is no longer kept: send it again.');
  const onBranch = await readBranch(table, submission);
  const [placing, others, merging] = await Promise.all([
    readPlacing(table, submission),
    statesOnDefault({ table, connections }, submission, onBranch),
    findingsToMerge(table, onBranch),
  ]);
  const entity = entityOf(onBranch);
  const remembered = once(() => readRemembered(connections.bucket, scopeRow.stateKey, entity));
  return {
    table,
    connections,
    taskId: task.id,
    at: task.createdAt,
    submission,
    files,
    scope: scopeRow.id,
    scopeRow,
    entity,
    onBranch,
    earlier: {
      state,
      remembered,
      changed: once(async () => changedSince(table, entity, await remembered())),
      others,
      merging,
    },
    learned: {
      sla,
      assets: new Map(),
      placing,
      facts: once(() => readFacts(connections)),
      rules: once(() => readRules(table)),
      documents: once(() => readDocuments(table)),
    },
    progress: { task, checkpoint: checkpointOf(task) },
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => {
    value ??= read();
    return value;
  };
}

export const workOf = ({ table, connections, progress: { task } }: Accepted): Work => ({ table, connections, task });
