import { groupOf } from '#shared/findings/many/queue.ts';
import { DEFAULT_POLICIES, SlaPolicies, slaRows } from '#shared/findings/sla-policies.ts';
import { mergePatch } from '#shared/http/records.ts';
import { outboxWrites, sendOutbox } from '#shared/jobs/outbox.ts';
import { newTask } from '#shared/jobs/task.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { Overtaken } from '#shared/runtime/errors.ts';
import { retry } from '#shared/runtime/retry.ts';
import { systemActor } from '#shared/table/actor.ts';
import { changeOf } from '#shared/table/changes.ts';
import { putWrite } from '#shared/table/io/row.ts';
import type { Table } from '#shared/table/table.ts';

type Within = { table: Table; connections: Connections };
type Patch = { patch: object; ifMatch: string | undefined };

/** Changes the policies, and queues the task that moves the due dates of the findings that stand. */
export async function changePolicies({ table, connections }: Within, change: Patch): Promise<SlaPolicies> {
  const { next, task } = await retry(() => attemptChange(table, change));
  if (task) await sendOutbox(connections, table, { task, send: { group: groupOf(table) } });
  return next;
}

const TOLD = { name: slaRows.name, told: ['days', 'exceptions'] };

async function attemptChange(table: Table, { patch, ifMatch }: Patch) {
  const stored = await table.rows(slaRows).find({}, true);
  const standing = stored ?? DEFAULT_POLICIES;
  const changes = mergePatch(SlaPolicies, standing, { patch, ifMatch });
  if (!changes) return { next: standing };
  const task = newTask(systemActor, { operation: 'redate_findings', job: 'ingest', unit: 'findings', input: {} });
  const next = { ...standing, ...changes, version: standing.version + 1, taskId: task.id };
  const id = table.organizationId;
  const told = changeOf(TOLD, { before: { ...standing, id }, after: { ...next, id } });
  const expect = stored ? { version: stored.version } : ('absent' as const);
  const batch = table.batch();
  batch.write(putWrite(table.scope, slaRows, { row: next, expect, fail: () => new Overtaken() }));
  batch.write(...outboxWrites(table, task, { group: groupOf(table) }));
  if (told) batch.tell(told);
  await batch.commit();
  return { next, task };
}
