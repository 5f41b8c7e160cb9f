import { applications } from '#shared/exposure/applications/application.ts';
import { newRulesTask } from '#shared/exposure/asset-rules/apply.ts';
import { readKept, unkeptWrite } from '#shared/exposure/asset-rules/kept.ts';
import { rulesChanged } from '#shared/exposure/asset-rules/mark.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { isFinished, taskRows } from '#shared/platform/jobs/task.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { conflict, notFound } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { dailyTimer } from '#shared/platform/timers/daily.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';
import { assertRoom } from './room.ts';

const RESTORABLE_SECONDS = 86_400;

/**
 * Brings a deleted application back, in one transaction with the task that makes its rules, exclusions, links and scores again.
 * @throws not_found, conflict
 */
export const restoreApplication = ({ connections, table }: Context, id: string) =>
  retry(async () => {
    const [kept] = await readKept(table, id, 'application');
    if (!kept) throw notFound('deleted application', id);
    const taskId = String(kept.to.taskId);
    const removal = await table.rows(taskRows).find({ id: taskId }, true);
    if (removal && !isFinished(removal))
      throw conflict(`The deletion of the application is under way: wait for the end of the task ${taskId}.`);
    if (String(kept.to.at) < inSeconds(-RESTORABLE_SECONDS))
      throw conflict(`The application was deleted at ${kept.to.at}; an application can be restored for a day.`);
    await assertRoom(table);
    const { record } = kept;
    // the deletion was the version in between
    const next = table.changed({ ...record, version: record.version + 1 }, {});
    const input = { ruleIds: [], conditions: [], restored: id };
    await queueNewTask({ connections, table }, newRulesTask(table, input, { type: 'application', id }), (batch) => {
      batch.create(applications, next);
      batch.write(unkeptWrite(table, id), rulesChanged(table), putTimer(dailyTimer('application', table)));
    });
    return next;
  });
