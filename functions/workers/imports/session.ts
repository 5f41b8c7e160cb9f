import * as z from 'zod';
import type { Facts } from '#shared/advisories/facts.ts';
import type { KnownAssets } from '#shared/assets/asset/known-assets.ts';
import type { Placing } from '#shared/assets/targets/zones.ts';
import type { findings } from '#shared/findings/finding/finding.ts';
import { readSla, type Sla } from '#shared/findings/sla/sla-policies.ts';
import type { SuppressionRule } from '#shared/findings/suppression/suppression-rule.ts';
import type { ScopeRow } from '#shared/findings/view/scan-scope.ts';
import type { ScanState } from '#shared/findings/view/scan-state.ts';
import { readScopeState } from '#shared/findings/view/scope-state.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { type StoredSubmission, taskFiles } from '#shared/ingest/submission.ts';
import { type TaskRow, taskStep } from '#shared/platform/jobs/task.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { ReportInventory, Severity } from '#shared/reports/report/report.ts';
import { entityOf, findingsToMerge, readBranch, statesOnDefault } from './branch.ts';
import type { Entry } from './entry.ts';
import { type LaneRow, readLane } from './lane-row.ts';
import type { Manifest } from './manifest.ts';
import type { OnBranch } from './on-branch.ts';
import { readPlacing } from './read-placing.ts';
import { Counts } from './results.ts';
import { NOTHING_COUNTED } from './sum-counts.ts';

export const Input = z.object({
  scope: z.string(),
  /** The id of an earlier task, when this task closes the findings that the earlier one held back. */
  confirms: z.uuid().optional(),
});

/** The progress of the work. Written in the transaction of each batch, so that a batch is applied once. */
export const Checkpoint = z.object({
  /** The chunk being applied, and how many of its lines are. */
  chunk: z.int(),
  line: z.int(),
  /** Ordinals that are reserved for new findings of this report, how many of them chunks have taken, and in which order. */
  range: z.object({ first: z.int(), size: z.int(), used: z.int(), pairs: z.boolean().default(false) }).optional(),
  /** Ids of the chunk's new findings, kept for a retry: their first place in the range, and the lines as bits. */
  reserved: z.object({ first: z.int(), lines: z.string() }).optional(),
  counts: Counts,
  /** How many findings were changed so, by kind of change and severity: `created:high`. */
  severities: z.record(z.string(), z.int()).default({}),
  /** Findings of the scope that were open before and are seen again. */
  openBefore: z.int(),
  /** Closing has begun: it goes on, without being held. */
  closing: z.literal(true).optional(),
  slice: z.int(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

const START: Checkpoint = { chunk: 0, line: 0, ...NOTHING_COUNTED, slice: 0 };

/** A task that is being worked. `task` and `checkpoint` are as they were last written. */
export type Session = Pick<Work, 'table' | 'connections'> & {
  task: TaskRow;
  checkpoint: Checkpoint;
  /** How far the second lane is that wrote last. */
  lane: LaneRow | undefined;
  scope: string;
  scopeRow: ScopeRow;
  files: ReturnType<typeof taskFiles>;
  submission: StoredSubmission;
  /** The findings that earlier scans of the scope saw. */
  state: ScanState;
  sla: Sla;
  /** The assets of the report that were read or made until now. */
  assets: KnownAssets;
  /** Where the findings lie: with those of default branches, or with those that only branches have. */
  entity: typeof findings;
  onBranch: OnBranch | undefined;
  /** The same scan of the default branch under its other names: of a branch, all of them. */
  others: readonly ScanState[];
  /** Of the default branch: findings that only branches have, by the fingerprint without the branch. */
  merging: ReadonlyMap<string, FindingRow>;
  /** The zone of an address, where the report names none. */
  placing: Placing;
  /** When the report came in: the time of all its changes, also when it is tried again. */
  at: string;
  startedMs: number;
  manifest?: Manifest;
  /** The entries of a report that is small enough not to be kept in chunks. */
  entries?: Entry[];
  /** The inventories of the report, if this slice read it. */
  inventories?: ReportInventory[];
  /** The facts about vulnerabilities, once findings that name some ask for them. */
  facts?: Facts;
  /** The suppression rules, once new findings ask for them. */
  rules?: SuppressionRule[];
};

export async function openSession(work: Work, scopeRow: ScopeRow): Promise<Session> {
  const { table, connections, task } = work;
  const files = taskFiles(table.organizationId, task.id);
  const [submission, state, sla] = await Promise.all([
    readJson<StoredSubmission>(connections.bucket, files.submission),
    readScopeState(connections.bucket, table, scopeRow.id),
    readSla(table),
  ]);
  if (!submission)
    throw new TaskFailure('report_missing', 'The report that was sent is no longer kept: send it again.');
  const onBranch = await readBranch(table, submission);
  const [lane, placing, others, merging] = await Promise.all([
    task.checkpoint ? readLane(table, task.id) : undefined,
    readPlacing(table, submission),
    statesOnDefault(work, submission, onBranch),
    findingsToMerge(table, onBranch),
  ]);
  return {
    ...{ table, connections, task, scopeRow, files },
    scope: scopeRow.id,
    checkpoint: task.checkpoint ? Checkpoint.parse(task.checkpoint) : START,
    ...{ lane, submission, state, sla, onBranch, others, merging, placing },
    assets: new Map(),
    entity: entityOf(onBranch),
    at: task.createdAt,
    startedMs: nowMs(),
  };
}

/** Counts one more finding of a severity that was changed so. */
export const oneMore = (counted: Checkpoint['severities'], kind: string, severity: Severity) => ({
  ...counted,
  [`${kind}:${severity}`]: (counted[`${kind}:${severity}`] ?? 0) + 1,
});

/** The rows that `commitTo` adds to each batch. */
export const CHECKPOINT_ROWS = 1;

/** Commits a batch with the checkpoint behind it. */
export async function commitTo(session: Session, batch: Batch, checkpoint: Checkpoint): Promise<void> {
  const changes = { checkpoint, progress: progressOf(session, checkpoint) };
  const { next, write } = taskStep(session.table, session.task, changes);
  batch.write(write);
  await batch.commit();
  Object.assign(session, { task: next, checkpoint });
}

export const saveCheckpoint = (session: Session, checkpoint: Checkpoint): Promise<void> =>
  commitTo(session, session.table.batch(), checkpoint);

/** Each finding counts once, created or not. */
export function progressOf({ manifest, task }: Session, { counts }: Checkpoint): TaskRow['progress'] {
  const { created, updated, unchanged, reopened } = counts;
  return { ...task.progress, done: created + updated + unchanged + reopened, total: manifest?.findings };
}
