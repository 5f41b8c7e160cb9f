import type { OrganizationSettings } from '#shared/credentials/organization-settings.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Timer } from '#shared/platform/timers/timers.ts';
import { type Branch, ENDED_BRANCH_DAYS } from '../branches/branch.ts';
import { type ManyRequest, newManyTask } from './queue.ts';

type Lived = Pick<Branch, 'endedAt' | 'lastScan' | 'createdAt'>;

/** When the branch ends; for an ended branch, when it is removed with its findings (milliseconds). */
export function branchDue(
  { endedAt, lastScan, createdAt }: Lived,
  { branchDays }: Pick<OrganizationSettings, 'branchDays'>,
): number {
  if (endedAt) return Date.parse(endedAt) + ENDED_BRANCH_DAYS * DAY_MS;
  return Date.parse(lastScan?.at ?? createdAt) + branchDays * DAY_MS;
}

/**
 * The timer of a branch goes off each day for as long as there is the branch, at the latest; so a changed setting needs to move
 * no timer, and an end that failed is tried again.
 */
export const branchTimer = ({ organizationId }: Table, id: string, due = Infinity): Omit<Timer, 'shard'> => ({
  kind: 'branch',
  at: Math.min(due, nowMs() + DAY_MS),
  organizationId,
  id,
});

/** The task that ends a branch for somebody who asks for it. @throws conflict for the default branch */
export function endOf({ id: branchId, name, isDefault }: Branch): ManyRequest & { input: End } {
  if (isDefault) throw conflict(`${name} is the default branch: make another branch the default first.`);
  return { operation: 'end_branch', input: { branchId, isRemoved: false } };
}

type End = { branchId: string; isRemoved: boolean; writes?: Write[] };

/**
 * Queues the end of a branch, together with `writes`: its open findings are closed. They are kept for as long as they may
 * still be merged; `isRemoved` removes them and the branch.
 */
export function queueEnd(context: Context, { writes = [], ...input }: End): Promise<QueuedResponse> {
  const resource = { type: 'branch', id: input.branchId };
  const queued = newManyTask(context.table, { operation: 'end_branch', input, resource });
  return queueNewTask(context, queued, (batch) => batch.write(...writes));
}
