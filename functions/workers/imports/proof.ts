import type { ClosingCode } from '#shared/findings/closing/closing-code.ts';
import { provesNothing } from '#shared/findings/closing/proven-gone.ts';
import type { SeenRecord } from '#shared/findings/view/scan-state.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { closingScanOf, type KeptProof } from '#shared/ingest/kept-proof.ts';
import type { Gap } from '#shared/reports/report/gap.ts';
import type { Read } from './phases.ts';
import { wholeScan } from './siblings.ts';

/** The scan that the finding names as the one that closed it. */
type ClosedBy = Pick<KeptProof, 'taskId' | 'at' | 'since'>;

export type MissingRecord = { seen: SeenRecord; current: FindingRow; proof: ClosedBy };

/** This report as a proof, or why it proves nothing. */
type Judged = ({ proof: KeptProof; missing?: undefined } | { proof?: undefined; missing: ClosingCode }) & {
  gaps: Gap[] | undefined;
};

export async function proofOf(read: Read): Promise<Judged> {
  const { submission: scan, taskId, at } = read;
  const whole = await wholeScan(read);
  if (!whole) return { missing: 'scan_unfinished', gaps: read.manifest.gaps };
  const { gaps } = whole.facts;
  const proof = { ...whole, scan, taskId, at };
  const missing = provesNothing(await closingScanOf(proof));
  return missing ? { missing, gaps } : { proof, gaps };
}
