import { removeExclusion } from '#shared/exposure/asset-links/exclusions.ts';
import { applicationExclusions } from '#shared/exposure/asset-rules/application-exclusion.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Timer } from '#shared/platform/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

/** Removes an exclusion that has expired. The timer goes with it; that of an exclusion that is gone goes alone. */
export async function endExclusion(connections: Connections, timer: Timer): Promise<void> {
  const table = tableOf(connections.dynamo, timer);
  const exclusion = await table.find(applicationExclusions, timer.id, true);
  if (exclusion) await removeExclusion({ connections, table }, exclusion);
  else await dropTimer(connections.dynamo, timer);
}
