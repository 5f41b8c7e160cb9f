import { newRulesTask } from '#shared/asset-rules/apply.ts';
import { rulesChanged } from '#shared/asset-rules/mark.ts';
import { applications } from '#shared/entities/application.ts';
import type { Deletion } from '#shared/http/records.ts';
import { queueNewTask } from '#shared/jobs/outbox.ts';
import { now } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Table } from '#shared/table/table.ts';

/** Deletes an application, in one transaction with the task that removes its rules, exclusions and links. */
export const deleteApplication = ({ connections, table }: { connections: Connections; table: Table }, id: string) =>
  retry(async (): Promise<Deletion> => {
    const application = await table.get(applications, id, true);
    const input = { ruleIds: [], conditions: [], applicationIds: [id], removed: id };
    await queueNewTask(connections, table, newRulesTask(table, input, { type: 'application', id }), (batch) => {
      batch.delete(applications, application);
      batch.write(rulesChanged(table));
    });
    return { id, deletedAt: now() };
  });
