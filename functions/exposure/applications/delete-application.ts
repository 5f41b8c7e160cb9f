import { applications } from '#shared/exposure/applications/application.ts';
import { newRulesTask } from '#shared/exposure/asset-rules/apply.ts';
import { keptWrite } from '#shared/exposure/asset-rules/kept.ts';
import { rulesChanged } from '#shared/exposure/asset-rules/mark.ts';
import type { Deletion } from '#shared/platform/http/records.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { assertNoTicketRule } from '#shared/ticketing/uses.ts';

/**
 * Deletes an application, in one transaction with the task that removes its rules, exclusions, links and scores,
 * and keeps what its restoration needs.
 * @throws conflict while a rule of tickets asks for it
 */
export const deleteApplication = ({ connections, table }: Context, id: string) =>
  retry(async (): Promise<Deletion> => {
    const application = await table.get(applications, id, true);
    await assertNoTicketRule(table, id);
    const input = { ruleIds: [], conditions: [], applicationIds: [id], removed: id };
    const queued = newRulesTask(table, input, { type: 'application', id });
    const deletedAt = now();
    await queueNewTask({ connections, table }, queued, (batch) => {
      batch.delete(applications, application);
      const removal = { taskId: queued.task.id, at: deletedAt };
      batch.write(
        rulesChanged(table),
        ...keptWrite(table, { applicationId: id, kind: 'application' }, application, removal),
      );
    });
    return { id, deletedAt };
  });
