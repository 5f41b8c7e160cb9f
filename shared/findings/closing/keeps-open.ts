import { isOpenItself, openSince, type StatusFields } from '../finding/finding-status.ts';
import type { ClosingCode } from './closing-code.ts';
import { type LookingScan, type MissingOnAsset, notProvenGone } from './proven-gone.ts';

/** A scan whose reports are all applied. */
export type ClosingScan = LookingScan & {
  /** When its report came in. */
  at: string;
  /** When the first report of the scan came in, in milliseconds since the epoch: a finding seen since then is not missing. */
  since: number;
};

/** The last sighting of a finding by the scans of its scan scope, and the tool that saw it. */
type Sighting = { tool: string; seenAt: number };

export type ReportedFinding = MissingOnAsset &
  Parameters<typeof isOpenItself>[0] &
  Pick<StatusFields, 'firstSeenAt' | 'reopenedAt'> & {
    seen: Sighting;
    /** The scan is of the finding's own scan scope, or that scope is not scanned any more (`IDLE_SECONDS`). */
    isOfScope: boolean;
  };

/** Why a finding is not missing from a scan of its scan scope; undefined where it is missing. */
export function notMissing({ facts, at, since }: Omit<ClosingScan, 'scan' | 'format'>, seen: Sighting) {
  if (seen.seenAt > Date.parse(at)) return 'not_newer';
  if (seen.seenAt >= since) return 'still_reported';
  return facts.tools.includes(seen.tool) ? undefined : 'other_tool';
}

/**
 * The row of docs/closing.md that keeps a finding open after the scan; undefined where the scan closes the finding,
 * unless the closing is `held` (`asksForConfirmation`). The scan scope comes last: the worker reads the scopes of only
 * those findings that no other row keeps open.
 */
export function whatKeepsOpen(scan: ClosingScan): (finding: ReportedFinding) => ClosingCode | undefined {
  const unproven = notProvenGone(scan);
  return (finding) => {
    const kept = notMissing(scan, finding.seen);
    if (kept) return kept;
    if (!isOpenItself(finding)) return 'decided';
    if (openSince(finding) >= scan.at) return 'not_newer';
    return unproven(finding) ?? (finding.isOfScope ? undefined : 'not_in_scope');
  };
}
