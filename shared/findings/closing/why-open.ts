import * as z from 'zod';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { isOpen } from '../finding/finding-status.ts';
import { CLOSING_CODES, CLOSING_REASONS, type ClosingCode } from './closing-code.ts';
import { type ClosingScan, type ReportedFinding, whatKeepsOpen } from './keeps-open.ts';

export const WhyOpen = objectNamed('WhyOpen', {
  scan: z
    .object({
      taskId: Id.meta({ description: 'the task of its import' }),
      at: Timestamp.meta({ description: 'when its report came in' }),
      tool: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'the last scan that looked; null: none can, or none has' }),
  missing: z
    .enum(CLOSING_CODES)
    .meta({ description: 'the id of the row in docs/closing.md', example: 'still_reported' }),
  message: z.string(),
});
export type WhyOpen = z.infer<typeof WhyOpen>;

type Scan = NonNullable<WhyOpen['scan']>;

/** The known scans that looked for a finding. */
export type KnownScans = {
  /** The last scan of its scan scope: the reason why it proved nothing, otherwise what it proves. */
  own?: { scan: Scan; missing?: ClosingCode | undefined; proof?: ClosingScan | undefined } | undefined;
  /** A later scan of the same target by the same tool that does not decide about the finding, and why it does not. */
  later?: { scan: Scan; missing: ClosingCode } | undefined;
};

type Finding = Omit<ReportedFinding, 'isOfScope'> & { isManual: boolean };

/**
 * The last scan that looked for an open finding, and the missing proof that the finding is gone; null for a finding
 * that is not open.
 */
export function whyOpen(finding: Finding, { own, later }: KnownScans): WhyOpen | null {
  if (finding.isManual) return whyOpenByHand(finding);
  if (!isOpen(finding.status)) return null;
  if (later) return reasonOf(later.scan, later.missing);
  return own ? reasonOf(own.scan, missingIn(finding, own)) : reasonOf(null, 'not_in_scope');
}

/** The same of a finding that a person wrote: no scan looks for it. */
export const whyOpenByHand = ({ status }: Pick<Finding, 'status'>): WhyOpen | null =>
  isOpen(status) ? reasonOf(null, 'written_by_hand') : null;

const reasonOf = (scan: Scan | null, missing: ClosingCode): WhyOpen => ({
  scan,
  missing,
  message: CLOSING_REASONS[missing],
});

function missingIn(finding: Finding, { scan, missing, proof }: NonNullable<KnownScans['own']>): ClosingCode {
  if (missing === 'of_appliance') return missing;
  const kept = proof && whatKeepsOpen(proof)({ ...finding, isOfScope: true });
  if (kept) return kept;
  if (!proof && finding.seen.seenAt >= Date.parse(scan.at)) return 'still_reported';
  // a scan that would have closed it found it decided
  return missing ?? 'decided';
}
