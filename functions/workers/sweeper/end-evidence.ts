import { evidenceRows, removeEvidence } from '#shared/findings/evidence/evidence.ts';
import { findFinding } from '#shared/findings/view/find.ts';
import type { Due } from './due.ts';

/** Deletes the files of a deleted finding. */
export async function endEvidence({ table, connections: { bucket }, timer, drop }: Due): Promise<void> {
  if (!(await findFinding(table, timer.id)))
    await removeEvidence(bucket, table, await table.rows(evidenceRows).query(timer.id, { consistent: true }));
  await drop();
}
