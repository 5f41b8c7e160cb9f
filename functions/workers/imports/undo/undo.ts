import { type MissingOnAsset, notProvenGone } from '#shared/findings/closing/proven-gone.ts';
import type { findings } from '#shared/findings/finding/finding.ts';
import type { ScopeRow } from '#shared/findings/view/scan-scope.ts';
import type { ScanState } from '#shared/findings/view/scan-state.ts';
import { readScopeState } from '#shared/findings/view/scope-state.ts';
import { closingScanOf, type KeptProof } from '#shared/ingest/kept-proof.ts';
import { type StoredSubmission, taskFiles } from '#shared/ingest/submission.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import { entityOf, readBranch } from '../branch.ts';
import { newerScans } from '../newer.ts';
import { NOTED_CHUNKS } from '../note-known.ts';
import { documentOf, settledBy } from '../stated/undo.ts';
import { type Noted, readNoted } from '../undo-log.ts';

/** An import that is to be taken back, and all that later scans say about its findings. */
export type Undo = Pick<Work, 'table' | 'connections'> & {
  /** The import's task, and when its report came in. */
  taskId: string;
  at: string;
  scope: string;
  row: ScopeRow;
  /** The collection that has the findings of the import. */
  entity: typeof findings;
  submission: StoredSubmission;
  closed: ReadonlyMap<string, Noted>;
  reopened: ReadonlyMap<string, Noted>;
  /** Findings of which it said something else than was known. */
  updated: ReadonlyMap<string, Noted>;
  /** The sightings of its scope, and those of all scopes that were scanned later; scans that were undone do not count. */
  state: ScanState;
  later: readonly ScanState[];
  /** The VEX document of the import, whose decisions are taken back. */
  documentId: string | undefined;
  /** Later scans of its scope that prove findings gone. */
  proofs: readonly Proving[];
};
type Proving = { proof: KeptProof; proves: (finding: MissingOnAsset) => boolean };

const READS_AT_ONCE = 10;

export async function openUndo(work: Work, row: ScopeRow, taskId: string): Promise<Undo> {
  const { table, connections } = work;
  const [submission, task] = await Promise.all([
    readJson<StoredSubmission>(connections.bucket, taskFiles(table.organizationId, taskId).submission),
    table.rows(taskRows).find({ id: taskId }, true),
  ]);
  if (!submission || !task) throw new TaskFailure('not_found', 'The files of the import are no longer kept.');
  const source = { table, connections, taskId, submission, scope: row.id, at: task.createdAt };
  const chunks = Array.from({ length: NOTED_CHUNKS }, (_, n) => n);
  const [newer, closed, reopened, updated, state, onBranch, documentId] = await Promise.all([
    newerScans(source),
    readNoted(source, (files) => files.closed),
    readNoted(source, (files) => files.reopened),
    eachAtOnce(chunks, READS_AT_ONCE, (n) => readNoted(source, (files) => files.updated(n))),
    readScopeState(connections.bucket, table, row.id),
    readBranch(table, submission),
    documentOf(work, taskId),
  ]);
  const others = await eachAtOnce(newer.others, READS_AT_ONCE, (id) => readScopeState(connections.bucket, table, id));
  return {
    ...source,
    row,
    state,
    later: newer.isOfScope ? [state, ...others] : others,
    entity: entityOf(onBranch),
    closed: byId(closed),
    reopened: byId(reopened),
    updated: byId(updated.flat()),
    documentId,
    proofs: await Promise.all(newer.proofs.map(proving)),
  };
}

const byId = (all: readonly Noted[]) => new Map(all.map((one) => [one.id, one]));

async function proving(proof: KeptProof): Promise<Proving> {
  const keptOpenBy = notProvenGone(await closingScanOf(proof));
  return { proof, proves: (finding) => keptOpenBy(finding) === undefined };
}

/** All findings that the import may have changed. */
export async function selectUndone(undo: Undo): Promise<number[]> {
  const { table, entity, taskId, closed, reopened, updated } = undo;
  const created = await ordinalsOf(table, entity, { where: { task: taskId } });
  const settled = await settledBy(table, undo.documentId);
  return [
    ...new Set([...created, ...settled, ...[...closed.keys(), ...reopened.keys(), ...updated.keys()].map(ordinalOf)]),
  ];
}
