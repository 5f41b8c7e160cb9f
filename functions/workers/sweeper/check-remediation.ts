import { remediations } from '#shared/findings/triage/remediation.ts';
import { changeRemediation, progressOf, settledStatus } from '#shared/findings/triage/remediations.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Timer } from '#shared/platform/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

/** Looks whether scans have proven all findings of a done remediation gone, and whether those of a verified one still are. */
export async function checkRemediation({ dynamo }: Connections, timer: Timer): Promise<void> {
  const table = tableOf(dynamo, timer);
  const current = await table.find(remediations, timer.id, true);
  if (!current?.checkAt || Date.parse(current.checkAt) !== timer.at) return dropTimer(dynamo, timer);
  const status = settledStatus(current.status, await progressOf(table, timer.id));
  const batch = table.batch();
  changeRemediation({ table, batch }, current, { status, isChecked: true });
  await batch.commit();
}
