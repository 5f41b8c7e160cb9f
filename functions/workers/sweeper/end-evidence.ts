import { evidenceRows, removeEvidence } from '#shared/findings/evidence/evidence.ts';
import { findFinding } from '#shared/findings/view/find.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Timer } from '#shared/platform/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

/** A finding was deleted: its files go with it. */
export async function endEvidence({ dynamo, bucket }: Connections, timer: Timer): Promise<void> {
  const table = tableOf(dynamo, timer);
  if (!(await findFinding(table, timer.id)))
    await removeEvidence(bucket, table, await table.rows(evidenceRows).query(timer.id, { consistent: true }));
  await dropTimer(dynamo, timer);
}
