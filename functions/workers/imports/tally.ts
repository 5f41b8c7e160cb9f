import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { tallyOf } from '#shared/findings/gate/comparison.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { Session } from './session.ts';

/** A reported finding as it is after its chunk; `base` where the branch that the report is compared with has it. */
export type Reported = { finding: FindingRow | undefined; base: FindingRow | undefined };

/** Keeps the open findings of a chunk by severity until the end of the report. */
export async function keepTally(session: Session, reported: readonly Reported[]): Promise<void> {
  const { connections, files, checkpoint } = session;
  const rows = reported.flatMap(({ finding, base }) => {
    const row = finding ?? base;
    return row ? [{ finding: row, isNew: !base && isNewOn(session, row) }] : [];
  });
  await connections.bucket.put(files.tally(checkpoint.chunk), JSON.stringify(tallyOf(rows)));
}

/** On a branch, all that its base does not have is new; else what came or returned with this report. */
function isNewOn({ entity, task, at }: Session, { taskId, firstSeenAt, reopenedAt }: FindingRow): boolean {
  if (entity === branchFindings) return true;
  return (taskId === task.id && firstSeenAt === at) || reopenedAt === at;
}
