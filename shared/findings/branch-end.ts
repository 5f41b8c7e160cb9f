import { BRANCH_DAYS, type Branch } from '../entities/branch.ts';
import { queueNewTask } from '../jobs/outbox.ts';
import type { QueuedResponse } from '../jobs/task.ts';
import type { Connections } from '../runtime/connections.ts';
import type { Write } from '../table/io/commit.ts';
import type { Table } from '../table/table.ts';
import type { Timer } from '../timers/timers.ts';
import { newManyTask } from './many/queue.ts';

const DAYS_MS = BRANCH_DAYS * 86_400_000;

type Lived = Pick<Branch, 'endedAt' | 'lastScan' | 'createdAt'>;

/** When the branch ends, or, once it ended, when it is removed with what it had (milliseconds). */
export const branchDue = ({ endedAt, lastScan, createdAt }: Lived): number =>
  Date.parse(endedAt ?? lastScan?.at ?? createdAt) + DAYS_MS;

export const branchTimer = ({ organizationId }: Table, id: string, at: number): Omit<Timer, 'shard'> => ({
  kind: 'branch',
  at,
  organizationId,
  id,
});

type End = { branchId: string; isRemoved: boolean; writes?: Write[] };

/**
 * Queues the end of a branch, together with `writes`: its open findings are closed. They are kept for as long as they may
 * still be merged; `isRemoved` removes them and the branch.
 */
export function queueEnd(
  connections: Connections,
  table: Table,
  { writes = [], ...input }: End,
): Promise<QueuedResponse> {
  const resource = { type: 'branch', id: input.branchId };
  const queued = newManyTask(table, { operation: 'end_branch', input, resource });
  return queueNewTask(connections, table, queued, (batch) => batch.write(...writes));
}
