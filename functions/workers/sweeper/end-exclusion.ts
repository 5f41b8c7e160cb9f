import { removeExclusion } from '#shared/applications/exclusions.ts';
import { applicationExclusions } from '#shared/entities/application-exclusion.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { Timer } from '#shared/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

/** Removes an exclusion that has expired. The timer goes with it; that of an exclusion that is gone goes alone. */
export async function endExclusion(connections: Connections, timer: Timer): Promise<void> {
  const table = tableOf(connections.dynamo, timer);
  const exclusion = await table.find(applicationExclusions, timer.id, true);
  if (exclusion) await removeExclusion({ connections, table }, exclusion);
  else await dropTimer(connections.dynamo, timer);
}
