import { alerts } from '#shared/entities/alert.ts';
import { workParts } from '#shared/findings/many/slices.ts';
import { StoredWanted, selectWanted } from '#shared/findings/many/wanted.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { alertsPart, StoredAlertBulk } from '#shared/soc/bulk.ts';

const Input = StoredAlertBulk.extend({ wanted: StoredWanted });

/** Makes the changes of one request to all alerts that it names or that fit its filter. */
export async function updateAlerts(work: Work): Promise<Record<string, unknown> | undefined> {
  const { wanted, ...bulk } = Input.parse(work.task.input);
  const results = await workParts(work, [alertsPart(work.table, () => selectWanted(work, wanted, alerts), bulk)]);
  return results?.[0];
}
