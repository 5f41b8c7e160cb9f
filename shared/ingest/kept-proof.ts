import type { ClosingScan } from '#shared/findings/closing/keeps-open.ts';
import type { ReportFacts } from '#shared/findings/closing/proven-gone.ts';
import { formatOf } from '#shared/reports/formats/formats.ts';
import type { StoredSubmission } from './submission.ts';

/** A scan that may prove findings gone, as its worker keeps it in the bucket (`taskFiles().proof`). */
export type KeptProof = {
  taskId: string;
  scan: StoredSubmission;
  facts: ReportFacts;
  at: string;
  since: number;
};

/** The scan with the rules of its format. */
export const closingScanOf = async (proof: KeptProof): Promise<ClosingScan> => ({
  ...proof,
  format: await formatOf(proof.scan.format),
});
