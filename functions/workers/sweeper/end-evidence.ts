import { evidenceRows, removeEvidence } from '#shared/findings/evidence.ts';
import { findFinding } from '#shared/findings/find.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { Timer } from '#shared/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

/** A finding was deleted: its files go with it. */
export async function endEvidence({ dynamo, bucket }: Connections, timer: Timer): Promise<void> {
  const table = tableOf(dynamo, timer);
  if (!(await findFinding(table, timer.id)))
    await removeEvidence(bucket, table, await table.rows(evidenceRows).query(timer.id, { consistent: true }));
  await dropTimer(dynamo, timer);
}
