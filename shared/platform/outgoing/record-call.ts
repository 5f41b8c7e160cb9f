import { createHash } from 'node:crypto';
import { elapsedMs, now } from '../runtime/clock.ts';
import type { Context } from '../table/context.ts';
import type { Table } from '../table/table.ts';
import { afterCall, type DeliveryRow, newDelivery, sentDeliveries } from './delivery.ts';
import { HostError } from './host-error.ts';
import { keepDelivery } from './ledger.ts';

type Call = { type: string; path: string; body: object | undefined };

/** Keeps a call in the ledger: its row comes before it, and has what came of it. */
export type Recorder = <T>(call: Call, ask: () => Promise<T>) => Promise<T>;

type Recorded = Pick<DeliveryRow, 'targetId' | 'channel' | 'subject'> & { work: NonNullable<DeliveryRow['work']> };

/** Keeps the calls of a task. A task that makes the same call again adds an attempt to the same delivery. */
export const recorderOf =
  ({ table }: Pick<Context, 'table'>, about: Recorded): Recorder =>
  async ({ type, path, body }, ask) => {
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
  };

/** The calls of a task that ended without success are attempted no more. */
export async function noteCallsDead(table: Table, targetId: string, taskId: string): Promise<void> {
  for (const row of await table.rows(sentDeliveries).query(targetId, { prefix: `${taskId}-`, consistent: true }))
    if (row.status === 'failed' || row.status === 'pending') await keepDelivery(table, { ...row, status: 'dead' }, row);
}
