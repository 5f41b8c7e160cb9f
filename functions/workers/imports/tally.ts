import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { tallyOf } from '#shared/findings/gate/comparison.ts';
import type { Read } from './phases.ts';
import type { KnownFinding } from './remembered.ts';

/** A reported finding as it is after its chunk; `base` where the branch that the report is compared with has it. */
export type Reported = { finding: KnownFinding | undefined; base: KnownFinding | undefined };

/** Keeps the open findings of a chunk by severity until the end of the report. */
export async function keepTally(read: Read, reported: readonly Reported[]): Promise<void> {
  const { connections, files, progress } = read;
  const rows = reported.flatMap(({ finding, base }) => {
    const row = finding ?? base;
    return row ? [{ finding: row, isNew: !base && isNewOn(read, row) }] : [];
  });
  await connections.bucket.put(files.tally(progress.checkpoint.chunk), JSON.stringify(tallyOf(rows)));
}

/** On a branch, all that its base does not have is new; else what came or returned since the first report on the commit. */
function isNewOn({ entity, at, since = at }: Read, { firstSeenAt, reopenedAt = '' }: KnownFinding): boolean {
  return entity === branchFindings || firstSeenAt >= since || reopenedAt >= since;
}
