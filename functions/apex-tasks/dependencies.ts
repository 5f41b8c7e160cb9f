import { waitingFor } from '#shared/apex/standalone.ts';
import { type ApexTask, apexTasks } from '#shared/entities/apex-task.ts';
import { conflict, invalid } from '#shared/http/errors.ts';
import type { Table } from '#shared/table/table.ts';

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
