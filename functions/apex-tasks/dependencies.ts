import { waitingFor } from '#shared/apex/standalone.ts';
import { TaskTaken } from '#shared/dispatch/queue.ts';
import { type ApexTask, apexTasks } from '#shared/entities/apex-task.ts';
import { conflict, invalid } from '#shared/runtime/errors.ts';
import { newId } from '#shared/runtime/ids.ts';
import type { Write } from '#shared/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/table/io/row.ts';
import type { Table } from '#shared/table/table.ts';

/** Which order the tasks of an engagement have: changed with each change of it, so that of two at once one looks again. */
type Order = { engagementId: string; stamp: string };
export const orders = defineRow<Order, Pick<Order, 'engagementId'>>({
  name: 'apex-order',
  about: "a stamp that changes with each change of the dependencies of an engagement's tasks",
  key: ({ engagementId }) => [engagementId],
});

/** To be read before the order is looked at. @returns what holds in a transaction while nobody else changed the order */
export async function reorderWrite(table: Table, engagementId: string): Promise<Write> {
  const standing = await table.rows(orders).find({ engagementId }, true);
  const expect = standing ? { stamp: standing.stamp } : ('absent' as const);
  return putWrite(table.scope, orders, { row: { engagementId, stamp: newId() }, expect, fail: () => new TaskTaken() });
}

/** @throws validation_failed when a task would wait for itself, be it by way of others: none of them would ever run */
export async function assertNoCircle(table: Table, id: string, dependsOn: readonly string[]): Promise<void> {
  const seen = new Set(dependsOn);
  // What is added to a set while it is gone through is met too.
  for (const one of seen) {
    if (one === id) throw invalid('dependsOn', 'a task cannot wait for itself, nor for one that waits for it');
    const other = await table.find(apexTasks, one, true);
    for (const next of other?.status === 'pending' ? other.dependsOn : []) seen.add(next);
  }
}

/** @throws conflict naming the tasks that wait for this one: what they wait for must be there to be looked at */
export async function assertNotWaitedFor(table: Table, { id }: Pick<ApexTask, 'id'>): Promise<void> {
  const waiting = await waitingFor(table, id);
  if (waiting.length === 0) return;
  const details = waiting.map((task) => ({ path: 'dependsOn', message: `task ${task.id}: ${task.title}` }));
  throw conflict('Tasks that have not run yet wait for this one: change or cancel them first.', details);
}
