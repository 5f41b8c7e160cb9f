import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { isFinished, newTask, type QueuedResponse, queued, taskRows } from '#shared/platform/jobs/task.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { dailyTimer } from '#shared/platform/timers/daily.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';
import { type Integration, integrations } from '../integrations/integration.ts';

/** The syncs of an integration are worked one after the other. */
export const syncGroup = ({ id }: Pick<Integration, 'id'>): string => `sync-${id}`;

/** Queues the reading of an integration's repositories; returns a waiting or running task instead of a second one. */
export const queueSync = ({ connections, table }: Context, id: string): Promise<QueuedResponse> =>
  retry(async () => {
    const integration = await table.get(integrations, id, true);
    const { syncTaskId } = integration;
    const last = syncTaskId ? await table.rows(taskRows).find({ id: syncTaskId }, true) : undefined;
    if (last && !isFinished(last)) return queued(last);
    const task = newTask(table.actor, {
      operation: 'sync_integration',
      job: 'hosts',
      unit: 'repositories',
      input: { integrationId: id },
      resource: { type: 'integration', id },
    });
    const note = (batch: Batch) => {
      batch.update(integrations, integration, table.changed<Integration, never>(integration, { syncTaskId: task.id }));
      batch.write(putTimer(dailyTimer('integration', table)));
    };
    return queueNewTask({ connections, table }, { task, send: { group: syncGroup(integration) } }, note);
  }, isConflict);
