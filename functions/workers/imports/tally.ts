import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { tallyOf } from '#shared/findings/gate/comparison.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { Accepted } from './phases.ts';

/** A reported finding as it is after its chunk; `base` where the branch that the report is compared with has it. */
export type Reported = { finding: FindingRow | undefined; base: FindingRow | undefined };

/** Keeps the open findings of a chunk by severity until the end of the report. */
export async function keepTally(accepted: Accepted, reported: readonly Reported[]): Promise<void> {
  const { connections, files, progress } = accepted;
  const rows = reported.flatMap(({ finding, base }) => {
    const row = finding ?? base;
    return row ? [{ finding: row, isNew: !base && isNewOn(accepted, row) }] : [];
  });
  await connections.bucket.put(files.tally(progress.checkpoint.chunk), JSON.stringify(tallyOf(rows)));
}

/** On a branch, all that its base does not have is new; else what came or returned with this report. */
function isNewOn({ entity, taskId, at }: Accepted, finding: FindingRow): boolean {
  if (entity === branchFindings) return true;
  return (finding.taskId === taskId && finding.firstSeenAt === at) || finding.reopenedAt === at;
}
