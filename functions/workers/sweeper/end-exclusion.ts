import { removeExclusion } from '#shared/exposure/asset-links/exclusions.ts';
import { applicationExclusions } from '#shared/exposure/asset-rules/application-exclusion.ts';
import type { Due } from './due.ts';

/**
 * Removes an expired exclusion with its timer. The timer of an exclusion that no longer exists is removed without it.
 */
export async function endExclusion({ table, connections, timer, drop }: Due): Promise<void> {
  const exclusion = await table.find(applicationExclusions, timer.id, true);
  if (exclusion) await removeExclusion({ connections, table }, exclusion);
  else await drop();
}
