import { newManyTask } from '#shared/findings/bulk/queue.ts';
import { keepWanted } from '#shared/findings/bulk/wanted.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { peopleOf } from '#shared/findings/triage/people.ts';
import { Remediation, remediations, type StoredRemediation } from '#shared/findings/triage/remediation.ts';
import { changeRemediation, checkWrites, nextCheck, progressOf } from '#shared/findings/triage/remediations.ts';
import { type Deletion, mergePatch } from '#shared/platform/http/records.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { remediationRoutes } from './routes.ts';

/** Makes a remediation, in one transaction with the task that links its findings. */
export async function createRemediation(
  call: Call<typeof remediationRoutes.createRemediation>,
): Promise<StoredRemediation> {
  const { connections, table, caller, body } = call;
  const { findingIds = [], status, ...fields } = body;
  assertSettable(status);
  const [{ assignee = null }] = await Promise.all([peopleOf(table, caller, body), assertFindings(table, findingIds)]);
  const [id = ''] = await table.reserve(remediations, 1);
  const link = findingIds.length > 0 ? await newLink({ connections, table }, id, findingIds) : undefined;
  const draft = { ...fields, id, assignee, status, taskId: link?.task.id ?? null, verifyTaskId: null };
  const created = table.stamp<StoredRemediation>({ ...draft, checkAt: nextCheck({ status }) });
  await commit({ connections, table }, link, (batch) => {
    batch.create(remediations, created);
    batch.write(...checkWrites(table, { id }, created));
  });
  return created;
}

export const updateRemediation = (call: Call<typeof remediationRoutes.updateRemediation>): Promise<StoredRemediation> =>
  retry(async () => {
    const { connections, table, caller, params, body, ifMatch } = call;
    const before = await table.get(remediations, params.id, true);
    const view = { ...before, progress: await progressOf(table, before.id) };
    const wanted = mergePatch<typeof Remediation.shape, Remediation>(Remediation, view, { patch: body, ifMatch });
    if (!wanted) return before;
    const { findingIds, progress: _progress, ...fields } = wanted;
    assertSettable(fields.status);
    const [{ assignee = null }] = await Promise.all([
      peopleOf(table, caller, { assigneeId: fields.assigneeId }),
      assertFindings(table, findingIds ?? []),
    ]);
    const link = findingIds && (await newLink({ connections, table }, before.id, findingIds));
    const changes = {
      ...fields,
      ...(fields.assigneeId !== undefined && { assignee }),
      ...(link && { taskId: link.task.id }),
    };
    let after = before;
    await commit({ connections, table }, link, (batch) => {
      after = changeRemediation({ table, batch }, before, changes);
    });
    return after;
  });

/** Deletes a remediation, in one transaction with the task that unlinks its findings. */
export const removeRemediation = ({ connections, table }: Context, id: string): Promise<Deletion> =>
  retry(async () => {
    const before = await table.get(remediations, id, true);
    await commit({ connections, table }, await newLink({ connections, table }, id), (batch) => {
      batch.delete(remediations, before);
      batch.write(...checkWrites(table, before, {}));
    });
    return { id, deletedAt: now() };
  });

type Link = Awaited<ReturnType<typeof newLink>>;

/** The task that links exactly these findings; without any it unlinks all, also those that the caller does not see. */
async function newLink({ connections, table }: Context, remediationId: string, ids?: readonly string[]) {
  const id = newId();
  const wanted = await keepWanted({ connections, table, taskId: id }, { ids: [...new Set(ids)] });
  const resource = { type: 'remediation', id: remediationId };
  const request = { id, operation: 'link_remediation', input: { remediationId, wanted }, resource } as const;
  return newManyTask(table, { ...request, ...(!ids && { reachesAll: true as const }) });
}

async function commit({ connections, table }: Context, link: Link | undefined, also: (batch: Batch) => void) {
  if (link) return void (await queueNewTask({ connections, table }, link, also));
  await table.commit(also);
}

function assertSettable(status: Remediation['status'] | undefined): void {
  if (status !== 'verified') return;
  throw invalid('status', 'must be planned, in_progress, done or cancelled: scans verify a done remediation');
}

/** @throws validation_failed for ids of no findings, of which the first is named */
async function assertFindings(table: Table, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set((await table.findMany(findings, ids, true)).map(({ id }) => id));
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw invalid(`findingIds.${unknown}`, 'must be the id of a finding of a default branch');
}
