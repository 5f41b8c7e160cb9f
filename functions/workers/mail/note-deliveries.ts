import { Letter } from '#shared/people/letter.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { afterCall, type DeliveryRow, sentDeliveries } from '#shared/platform/outgoing/delivery.ts';
import { failureCode } from '#shared/platform/outgoing/failure-code.ts';
import { keepDelivery } from '#shared/platform/outgoing/ledger.ts';
import { elapsedMs, now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';

export const NO_SENDER = 'This deployment has no sender of e-mail (mailFrom in docs/operate.md).';

/** Sends a letter, and notes in the deliveries that it is what came of it. @returns whether the deployment sends letters */
export async function noted(table: Table, letter: Letter, send: () => Promise<boolean>): Promise<boolean> {
  const [at, began] = [now(), elapsedMs()];
  const attempt = (error: string | null) => ({
    at,
    status: null,
    error,
    milliseconds: Math.round(elapsedMs() - began),
  });
  try {
    const isSent = await send();
    await noteEach(table, letter, (row) =>
      isSent ? afterCall(row, attempt(null)) : { ...row, status: 'skipped', reason: NO_SENDER },
    );
    return isSent;
  } catch (error) {
    const isRefused = error instanceof TaskFailure;
    const message = isRefused ? error.message : `The sender does not answer (${failureCode(error)}).`;
    await noteEach(table, letter, (row) => afterCall(row, attempt(message), isRefused));
    throw error;
  }
}

/** The attempts at a letter are used up. */
export const noteDead = ({ table, task }: Work): Promise<void> =>
  task.operation === 'send_letter'
    ? noteEach(table, Letter.parse(task.input), (row) => ({ ...row, status: 'dead' }))
    : Promise.resolve();

async function noteEach(
  table: Table,
  { deliveries = [] }: Letter,
  after: (row: DeliveryRow) => DeliveryRow,
): Promise<void> {
  for (const row of await table.rows(sentDeliveries).findMany(deliveries, true))
    await keepDelivery(table, after(row), row);
}
