import { mergePatch } from '#shared/platform/http/records.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { changeOf } from '#shared/platform/table/changes.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import { DEFAULT_POLICIES, SlaPolicies, slaRows, withSavedExceptions } from '../sla/sla-policies.ts';
import { newManyTask } from './queue.ts';

type Patch = { patch: object; ifMatch: string | undefined };

/** Changes the policies, and queues the task that moves the due dates of current findings. */
export const changePolicies = (context: Context, change: Patch): Promise<SlaPolicies> =>
  retry(() => attemptChange(context, change));

const REPORTED = { name: slaRows.name, feedFields: ['days', 'exceptions'] };

async function attemptChange({ table, connections }: Context, { patch, ifMatch }: Patch): Promise<SlaPolicies> {
  const stored = await table.rows(slaRows).find({}, true);
  const current = stored ?? DEFAULT_POLICIES;
  const changes = mergePatch(SlaPolicies, current, { patch, ifMatch });
  if (!changes) return current;
  const queued = newManyTask({ ...table, actor: systemActor }, { operation: 'redate_findings', input: {} });
  const named = await withSavedExceptions(table, changes);
  const next = { ...current, ...named, version: current.version + 1, taskId: queued.task.id };
  const id = table.organizationId;
  const entry = changeOf(REPORTED, { before: { ...current, id }, after: { ...next, id } });
  const expect = stored ? { version: stored.version } : ('absent' as const);
  await queueNewTask({ connections, table }, queued, (batch) => {
    batch.write(putWrite(table.tenant, slaRows, { row: next, expect, fail: () => new Overtaken() }));
    if (entry) batch.announce(entry);
  });
  return next;
}
