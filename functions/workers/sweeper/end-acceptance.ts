import { canMove, moveStatus } from '#shared/entities/finding-status.ts';
import { acceptanceEnd } from '#shared/findings/acceptance.ts';
import { changeFinding } from '#shared/findings/change.ts';
import { type FoundFinding, findFinding } from '#shared/findings/find.ts';
import { now } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import type { Table } from '#shared/table/table.ts';
import type { Timer } from '#shared/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

/**
 * A risk was accepted until now: its finding is open again, unless somebody decided otherwise or for longer meanwhile. A
 * scan that comes between leaves the timer to the next sweep.
 */
export async function endAcceptance({ dynamo }: Connections, timer: Timer): Promise<void> {
  const table = tableOf(dynamo, timer);
  const found = await findFinding(table, timer.id);
  const isDue = found && acceptanceEnd(found.finding) === timer.at;
  return isDue ? openAgain(table, found) : dropTimer(dynamo, timer);
}

async function openAgain(table: Table, { entity, finding }: FoundFinding): Promise<void> {
  const { status, acceptedUntil } = finding;
  const at = now();
  const reason = `Its risk was accepted until ${acceptedUntil}.`;
  const move = { to: 'open', at, reason, byClock: true } as const;
  if (!canMove(status, move)) throw new Error(`a finding that is ${status} cannot be opened by the clock`);
  const batch = table.batch();
  changeFinding({ table, batch, entity }, finding, { changes: moveStatus(finding, move), at, reason });
  await batch.commit();
}
