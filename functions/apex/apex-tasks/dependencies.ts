import { type ApexTask, apexTasks } from '#shared/apex/apex-task.ts';
import { waitingFor } from '#shared/apex/standalone.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { TaskTaken } from '#shared/scanning/scanner-tasks/queue.ts';

/**
 * The stamp of an engagement's task order. Each change renews the stamp, so that one of two simultaneous changes
 * retries.
 */
type Order = { engagementId: string; stamp: string };
export const orders = defineRow<Order, Pick<Order, 'engagementId'>>({
  name: 'apex-order',
  about: "a stamp that changes with each change of the dependencies of an engagement's tasks",
  key: ({ engagementId }) => [engagementId],
});

/** Call this before reading the order. @returns a write that fails when another caller has changed the order since */
export async function reorderWrite(table: Table, engagementId: string): Promise<Write> {
  const current = await table.rows(orders).find({ engagementId }, true);
  const expect = current ? { stamp: current.stamp } : ('absent' as const);
  return putWrite(table.tenant, orders, { row: { engagementId, stamp: newId() }, expect, fail: () => new TaskTaken() });
}

/** @throws validation_failed when a task would wait for itself, also through others: none of them would ever run */
export async function assertNoCircle(table: Table, id: string, dependsOn: readonly string[]): Promise<void> {
  const seen = new Set(dependsOn);
  // the loop also reaches elements that it adds to the set
  for (const one of seen) {
    if (one === id) throw invalid('dependsOn', 'must not name the task itself, nor a task that waits for it');
    const other = await table.find(apexTasks, one, true);
    for (const next of other?.status === 'pending' ? other.dependsOn : []) seen.add(next);
  }
}

/** @throws conflict with the tasks that wait for this one: a task must stay readable while others wait for it */
export async function assertNotWaitedFor(table: Table, { id }: Pick<ApexTask, 'id'>): Promise<void> {
  const waiting = await waitingFor(table, id);
  if (waiting.length === 0) return;
  const details = waiting.map((task) => ({ path: 'dependsOn', message: `task ${task.id}: ${task.title}` }));
  throw conflict('Tasks that have not run yet wait for this one: change or cancel them first.', details);
}
