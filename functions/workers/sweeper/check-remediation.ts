import { remediations } from '#shared/findings/triage/remediation.ts';
import { changeRemediation, progressOf, settledStatus } from '#shared/findings/triage/remediations.ts';
import type { Due } from './due.ts';

/**
 * Checks whether scans have proven that all findings of a done remediation are gone, and whether the findings of a
 * verified remediation are still gone.
 */
export async function checkRemediation({ table, timer, drop }: Due): Promise<void> {
  const current = await table.find(remediations, timer.id, true);
  if (!current?.checkAt || Date.parse(current.checkAt) !== timer.at) return drop();
  const status = settledStatus(current.status, await progressOf(table, timer.id));
  await table.commit((batch) => changeRemediation({ table, batch }, current, { status, isChecked: true }));
}
