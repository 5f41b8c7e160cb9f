import { evidenceRows, removeEvidence } from '#shared/findings/evidence/evidence.ts';
import { followers } from '#shared/findings/finding/follower.ts';
import { findFinding } from '#shared/findings/view/find.ts';
import type { Due } from './due.ts';

/** Deletes the files and followers of a deleted finding. */
export async function endEvidence({ table, connections: { bucket }, timer, drop }: Due): Promise<void> {
  if (!(await findFinding(table, timer.id))) {
    await removeEvidence(bucket, table, await table.rows(evidenceRows).query(timer.id, { consistent: true }));
    const rows = table.rows(followers);
    for (const one of await rows.query(timer.id, { consistent: true })) await rows.remove(one);
  }
  await drop();
}
