import { organizations } from '#shared/credentials/organization.ts';
import { begun, graceEnd, openRequester, putDeletion } from '#shared/organizations/deletion.ts';
import { sharedWork } from '#shared/organizations/work.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { newTask } from '#shared/platform/jobs/task.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import type { Due } from './due.ts';

/**
 * The days of grace of a deletion are over: its task is queued, in the name of the account that asked. While shared machines work
 * for the organization, the timer stays due.
 */
export const beginDeletion = ({ table: swept, connections, timer, drop }: Due): Promise<void> =>
  retry(async () => {
    const { dynamo } = connections;
    const organization = await openTable(dynamo, GLOBAL_SCOPE).find(organizations, timer.organizationId, true);
    const deletion = organization?.deletion;
    if (!deletion || graceEnd(deletion) !== timer.at) return drop();
    if ((await sharedWork(swept)) > 0) return;
    const table = openRequester(dynamo, deletion);
    const task = newTask(table.actor, {
      operation: 'delete_organization',
      job: 'maintenance',
      unit: 'rows and objects',
      input: { work: 'delete', organizationId: organization.id },
    });
    await queueNewTask({ connections, table }, { task, send: { group: organization.id } }, (batch) =>
      putDeletion(batch, table, { organization, deletion: begun(deletion, task.id) }),
    );
  }, isConflict);
