import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { severityAfterReport } from '#shared/findings/finding/finding-severity.ts';
import { moveStatus } from '#shared/findings/finding/finding-status.ts';
import { reportedFields } from '#shared/findings/finding/reported.ts';
import { ratingOf } from '#shared/findings/sla/rating.ts';
import { dueFields, isDueChosen } from '#shared/findings/sla/sla-policies.ts';
import { historyWrite } from '#shared/findings/triage/history.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { Change, Chunk } from './chunk.ts';
import { branchFields, type Entry, type Exploited, fingerprintFields } from './entry.ts';
import type { Accepted } from './phases.ts';

/** The changes of a finding that has the fingerprint of an earlier name of the default branch, or of an earlier release. */
export function renamed(
  { submission, scope, onBranch }: Accepted,
  entry: Entry,
  { fingerprint, formerFingerprints = [] }: StoredFinding,
): Partial<StoredFinding> {
  const former = [...formerFingerprints, fingerprint].filter((one) => one !== entry.fingerprint);
  return {
    ...branchFields(entry, submission, onBranch),
    scope,
    ...fingerprintFields(entry),
    // it may be that of another name of the asset, by which it is found when the names are parted
    ...(entry.aliased && { formerFingerprints: former }),
  };
}

/**
 * A problem of a branch is on the default branch now. Its finding moves over with its id, history and all that people
 * decided about it; its dates count from the merge.
 */
export function merge(
  accepted: Accepted,
  { merged: whole, exploited }: Chunk,
  { entry, merged }: { entry: Entry; merged: FindingRow },
): Change {
  const { table, taskId, at } = accepted;
  const before = whole.get(merged.id);
  if (!before) throw new Error(`the finding ${merged.id} left its branch`);
  const fields = mergedFields(accepted, { entry, before, exploited });
  const next = table.changed(before, { ...fields, ...ratingOf({ ...before, ...fields }, at) });
  const change = { findingId: next.id, version: next.version, at, by: table.actor, scanTaskId: taskId };
  const changes = { ref: { from: before.ref ?? null, to: next.ref ?? null } };
  const reason = `Merged: ${taskId} saw it on the default branch.`;
  const write: Change['write'] = (batch) => {
    batch.delete(branchFindings, before);
    batch.create(findings, next);
    batch.write(historyWrite(table, { ...change, changes, reason }));
  };
  return { counts: 'created', severity: next.severity, write, after: next };
}

function mergedFields(
  { submission, scope, taskId, at, onBranch, learned: { sla } }: Accepted,
  { entry, before, exploited }: { entry: Entry; before: StoredFinding; exploited: Exploited },
) {
  const reported = reportedFields(entry, submission, exploited(entry.finding));
  const rated = severityAfterReport(before, reported.severity);
  return {
    ...reported,
    ...branchFields(entry, submission, onBranch),
    ...(before.status === 'fixed' && moveStatus(before, { to: 'open', at, scanTaskId: taskId })),
    ...rated,
    tags: before.tags,
    reopenedCount: 0,
    reopenedAt: undefined,
    repairs: undefined,
    firstSeenAt: at,
    ...(!isDueChosen(before) && dueFields(sla, { ...before, ...rated }, at)),
    acknowledgedAt: before.acknowledgedAt && at,
    scope,
    taskId,
    ...fingerprintFields(entry),
  } satisfies Partial<StoredFinding>;
}
