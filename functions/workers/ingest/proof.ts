import type { SeenRecord } from '#shared/findings/view/scan-state.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { StoredSubmission } from '#shared/ingest/submission.ts';
import { formatOf } from '#shared/reports/formats/formats.ts';
import { provenGone } from './asset-for.ts';
import type { Manifest } from './manifest.ts';
import type { Session } from './session.ts';
import { type WholeScan, wholeScan } from './siblings.ts';

/** A scan that proves findings gone: those that lie in its reach and that no report since has. */
export type Proof = Pick<WholeScan, 'facts' | 'since'> & { scan: StoredSubmission; taskId: string; at: string };

/** The scan that the finding names as the one that closed it. */
type ClosingScan = Pick<Proof, 'taskId' | 'at' | 'since'>;

export type MissingRecord = { seen: SeenRecord; current: FindingRow; proof: ClosingScan };

/** This report as a proof, if it proves anything. */
export async function proofOf(session: Session, manifest: Manifest): Promise<Proof | undefined> {
  const { submission: scan, task, at } = session;
  const whole = await wholeScan(session, manifest);
  const proof = whole && { ...whole, scan, taskId: task.id, at };
  return proof && (await provenBy(proof)) ? proof : undefined;
}

/** Which findings the scan proves gone; undefined when it proves nothing. */
export const provenBy = async ({ scan, facts }: Proof) =>
  provenGone({ scan, format: await formatOf(scan.format) }, facts);
