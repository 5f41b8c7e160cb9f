import { Overtaken } from '#shared/platform/runtime/errors.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { condition, putWrite, type RowKind, rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import {
  placedTimer,
  putTimer,
  removeTimer,
  type Timer,
  type TimerKind,
  timers,
} from '#shared/platform/timers/timers.ts';
import type { MachinePresence } from './presence.ts';

/** The presences of one kind of machine. */
export type Presences<P extends MachinePresence> = {
  kind: Exclude<TimerKind, 'send'>;
  rows: RowKind<P, P>;
  /** When the sweeper must look at the machine; 0 when it need not. */
  nextTimer: (presence: P) => number;
};

/** The presence was changed since it was read: by another call of the machine, the sweeper, or an operator. */
export class PresenceMoved extends Overtaken {}

/** A presence before and after a change, and the batch of further changes. */
export type PresenceChange<P> = { before: P; after: P; batch?: Batch };

/**
 * Writes a presence that was read as `before`, its timer, and the batch, all or nothing. Alone it is one plain write,
 * and two more when its timer moves.
 * @throws PresenceMoved
 */
export async function savePresence<P extends MachinePresence>(
  presences: Presences<P>,
  table: Table,
  { before, after, batch = table.batch() }: PresenceChange<P>,
): Promise<P> {
  const row = { ...after, rev: before.rev + 1, timerAt: presences.nextTimer(after) };
  const expect = before.rev === 0 ? ('absent' as const) : { rev: before.rev };
  const timer = (at: number) => timerOf(presences, table, { presence: row, at });
  if (batch.size() === 0) {
    const write = async () => {
      if (!(await table.rows(presences.rows).put(row, expect))) throw new PresenceMoved();
    };
    await (row.timerAt === before.timerAt ? write() : moveTimer(table, timer, { before, row, write }));
    return row;
  }
  batch.write(putWrite(table.tenant, presences.rows, { row, expect, fail: () => new PresenceMoved() }));
  if (row.timerAt !== before.timerAt) {
    if (before.timerAt !== 0) batch.write(removeTimer(timer(before.timerAt)));
    if (row.timerAt !== 0) batch.write(putTimer(timer(row.timerAt)));
  }
  await batch.commit();
  return row;
}

type TimerMove = { before: MachinePresence; row: MachinePresence; write: () => Promise<void> };

/**
 * Sets the next timer, then writes the presence that names it, then takes away the last: half the price of a
 * transaction. A stop in between leaves a timer too many, which the sweeper drops when it is due.
 */
async function moveTimer(
  { dynamo }: Table,
  timer: (at: number) => Omit<Timer, 'shard'>,
  { before, row, write }: TimerMove,
): Promise<void> {
  const rows = openTable(dynamo, GLOBAL_SCOPE).rows(timers);
  if (row.timerAt !== 0) await rows.put(placedTimer(timer(row.timerAt)));
  await write();
  if (before.timerAt !== 0) await rows.remove(placedTimer(timer(before.timerAt)));
}

const timerOf = <P extends MachinePresence>(
  { kind }: Presences<P>,
  { organizationId }: Table,
  { presence, at }: { presence: P; at: number },
) => ({ at, kind, organizationId, id: presence.machineId });

/** The writes that remove a presence; they fail when it changed since it was read. */
export function presenceRemoval<P extends MachinePresence>(
  presences: Presences<P>,
  table: Table,
  presence: P,
): Write[] {
  const { rev, timerAt } = presence;
  const fail = () => new PresenceMoved();
  const remove = { remove: rowKey(table.tenant, presences.rows, presence), condition: condition({ rev }), fail };
  return timerAt === 0 ? [remove] : [remove, removeTimer(timerOf(presences, table, { presence, at: timerAt }))];
}
