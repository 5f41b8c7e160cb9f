import * as z from 'zod';
import { taskRows } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Row } from '#shared/platform/table/layout/keys.ts';
import { isOwned, names } from '#shared/platform/table/upkeep/owned.ts';
import { forgetCustomers, forgetInPools, forgetOrganization, forgetPart } from './forget-elsewhere.ts';
import { Removal, type RemovalRules, removeAll } from './remove-all.ts';
import { continueAtTime, continueLater, removalProgress, sliceEnd } from './slice.ts';

const Input = z.object({ organizationId: z.uuid() });
const Checkpoint = Removal.extend({ slice: z.int().default(0) });

/**
 * Removes an organization: every row and object that belongs to it or names it. The task belongs to the requesting
 * organization, so it outlives the removed one.
 */
export async function deleteOrganization(work: Work): Promise<Record<string, unknown> | undefined> {
  const { connections, task, table } = work;
  const { organizationId } = Input.parse(task.input);
  const { slice, ...from } = Checkpoint.parse(task.checkpoint ?? {});
  if (from.pass === 1 && from.part === 'rows') {
    await forgetCustomers(connections.dynamo, organizationId);
    await forgetInPools(connections.dynamo, organizationId);
  }
  const { at, isDone, quietAt } = await removeAll(work, rulesOf(work, organizationId), { from, isOver: sliceEnd() });
  const progress = removalProgress(at);
  const checkpoint = { ...at, slice: slice + 1 };
  if (quietAt) return continueAtTime(work, { checkpoint, progress }, { at: quietAt, group: organizationId });
  if (!isDone) return continueLater(work, { checkpoint, progress });
  await table.rows(taskRows).set({ id: task.id }, { progress, updatedAt: now() });
  const { rows, objects, pass: passes, mentions } = at;
  return { rows, objects, passes, mentions };
}

function rulesOf({ connections: { dynamo }, task }: Work, organizationId: string): RemovalRules {
  return {
    async treat(row: Row) {
      if (isOwned(organizationId, row)) return 'remove';
      if (row.id === task.id) return 'leave';
      if (await forgetPart(dynamo, organizationId, row)) return 'found';
      return names(organizationId, row) ? 'mention' : 'leave';
    },
    isTheirs: (key) => key.split('/').includes(organizationId),
    beforePass: () => forgetOrganization(dynamo, organizationId),
  };
}
