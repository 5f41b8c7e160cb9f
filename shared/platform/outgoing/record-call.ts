import { createHash } from 'node:crypto';
import { elapsedMs, now } from '../runtime/clock.ts';
import type { Context } from '../table/context.ts';
import type { Table } from '../table/table.ts';
import { afterCall, type DeliveryRow, newDelivery, sentDeliveries } from './delivery.ts';
import { HostError } from './host-error.ts';
import { keepDelivery } from './ledger.ts';

type Call = { type: string; path: string; body: object | undefined };

export type Recorder = {
  /** Makes a call, and keeps it in the ledger: its row comes before it, and has what came of it. */
  call: <T>(call: Call, ask: () => Promise<T>) => Promise<T>;
  /** Notes that the target has what an earlier attempt brought, although its answer was lost. @param part of the payload */
  found: (type: string, part: string) => Promise<void>;
};

type Recorded = Pick<DeliveryRow, 'targetId' | 'channel' | 'subject'> & { work: NonNullable<DeliveryRow['work']> };

/** Keeps the calls of a task. A task that makes the same call again adds an attempt to the same delivery. */
export const recorderOf = ({ table }: Pick<Context, 'table'>, about: Recorded): Recorder => ({
  call: async ({ type, path, body }, ask) => {
    const payload = JSON.stringify(body ?? {});
    const hash = createHash('sha256').update(`${path}\n${payload}`).digest('hex').slice(0, 16);
    const id = `${about.work.taskId}-${hash}`;
    const known = await table.rows(sentDeliveries).find({ targetId: about.targetId, id }, true);
    const row = { ...(known ?? newDelivery({ ...about, id, type, payload })), status: 'pending' as const };
    await keepDelivery(table, row, known);
    const [at, began] = [now(), elapsedMs()];
    const note = (error: string | null, isOver = false) =>
      keepDelivery(
        table,
        afterCall(row, { at, status: null, error, milliseconds: Math.round(elapsedMs() - began) }, isOver),
        row,
      );
    try {
      const answer = await ask();
      await note(null);
      return answer;
    } catch (error) {
      if (error instanceof HostError) await note(error.message, error.isFinal);
      else await note('The service failed.');
      throw error;
    }
  },
  found: async (type, part) => {
    for (const row of await callsOf(table, about.targetId, about.work.taskId))
      if (row.type === type && row.status !== 'sent' && row.payload?.includes(part))
        await keepDelivery(table, { ...row, status: 'sent', sentAt: row.attempts.at(-1)?.at ?? now() }, row);
  },
});

const callsOf = (table: Table, targetId: string, taskId: string): Promise<DeliveryRow[]> =>
  table.rows(sentDeliveries).query(targetId, { prefix: `${taskId}-`, consistent: true });

const unsentCallsOf = async (...task: Parameters<typeof callsOf>): Promise<DeliveryRow[]> =>
  (await callsOf(...task)).filter(({ status }) => status === 'failed' || status === 'pending');

/** The calls of a task that ended without success are attempted no more. */
export async function noteCallsDead(table: Table, targetId: string, taskId: string): Promise<void> {
  for (const row of await unsentCallsOf(table, targetId, taskId))
    await keepDelivery(table, { ...row, status: 'dead' }, row);
}

/** A task that succeeded did without the calls that failed: what they were to bring changed meanwhile. */
export async function noteCallsNotNeeded(table: Table, targetId: string, taskId: string): Promise<void> {
  const reason = 'It failed, and was not needed any more at the next attempt.';
  for (const row of await unsentCallsOf(table, targetId, taskId))
    await keepDelivery(table, { ...row, status: 'skipped', reason }, row);
}
