import type { StoredVulnerability } from '../entities/vulnerability.ts';
import { newManyTask } from '../findings/many/queue.ts';
import { UNDO_KEPT_DAYS, undoWrite } from '../findings/many/undo-rows.ts';
import { queueNewTask } from '../jobs/outbox.ts';
import type { Connections } from '../runtime/connections.ts';
import type { Table } from '../table/table.ts';
import { changeVulnerability } from './change.ts';

/** Keeps a decision on a vulnerability, and queues the task by which its findings follow, in one transaction. */
export async function saveDecision(
  { connections, table }: { connections: Connections; table: Table },
  standing: StoredVulnerability,
  changes: Partial<StoredVulnerability>,
): Promise<StoredVulnerability> {
  const about = { resource: { type: 'vulnerability', id: standing.id }, unit: 'records' };
  const queued = newManyTask(table, { operation: 'update_vulnerabilities', input: { decided: standing.id }, ...about });
  const taskId = queued.task.id;
  let after = standing;
  await queueNewTask(connections, table, queued, (batch) => {
    const { next, undo } = changeVulnerability({ table, batch, taskId }, standing, changes);
    batch.write(undoWrite(table, { taskId, place: 0, days: UNDO_KEPT_DAYS }, [undo]));
    after = next;
  });
  return after;
}
