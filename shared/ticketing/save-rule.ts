import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { newTask } from '#shared/platform/jobs/task.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { TicketRule } from './ticket-rule.ts';

/** Writes a rule; a rule that includes current records also queues the task that reads them. */
export async function saveTicketRule(
  { connections, table }: Context,
  rule: TicketRule,
  write: (batch: Batch, next: TicketRule) => void,
) {
  if (!rule.enabled || !rule.includesStanding) {
    await table.commit((batch) => write(batch, rule));
    return rule;
  }
  const task = newTask(table.actor, {
    operation: 'apply_ticket_rule',
    job: 'ticketing',
    unit: 'records',
    input: { ruleId: rule.id },
    resource: { type: 'ticket_rule', id: rule.id },
  });
  const next = { ...rule, taskId: task.id };
  await queueNewTask({ connections, table }, { task, send: { group: rule.id } }, (batch) => write(batch, next));
  return next;
}
