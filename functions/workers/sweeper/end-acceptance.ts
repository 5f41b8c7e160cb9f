import { canMove } from '#shared/findings/finding/finding-status.ts';
import { learnForDates, readSla } from '#shared/findings/sla/sla-policies.ts';
import { currentRules } from '#shared/findings/suppression/current-rules.ts';
import { acceptanceEnd } from '#shared/findings/triage/acceptance.ts';
import { changeFinding } from '#shared/findings/triage/change.ts';
import { endedAcceptance } from '#shared/findings/triage/end-acceptance.ts';
import { type FoundFinding, findFinding } from '#shared/findings/view/find.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Due } from './due.ts';

/**
 * A risk was accepted until now: its finding is open again, unless somebody decided otherwise or for longer meanwhile. A
 * scan that comes between leaves the timer to the next sweep.
 */
export async function endAcceptance({ table, timer, drop }: Due): Promise<void> {
  const found = await findFinding(table, timer.id);
  const isDue = found && acceptanceEnd(found.finding) === timer.at;
  return isDue ? openAgain(table, found) : drop();
}

async function openAgain(table: Table, { entity, finding }: FoundFinding): Promise<void> {
  const { status, restartSla } = finding;
  const at = now();
  if (!canMove(status, { to: 'open', at, byClock: true }))
    throw new Error(`a finding that is ${status} cannot be opened by the clock`);
  const [sla, rules] = await Promise.all([readSla(table), currentRules(table, [finding], at)]);
  if (restartSla) await learnForDates(table, sla, [finding]);
  const changes = endedAcceptance(finding, { at, sla, rules });
  await table.commit((batch) =>
    changeFinding({ table, batch, entity }, finding, { changes, at, reason: changes.statusReason }),
  );
}
