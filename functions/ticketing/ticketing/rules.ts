import { applications } from '#shared/exposure/applications/application.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { newTask } from '#shared/platform/jobs/task.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { MAX_TICKET_RULES } from '#shared/ticketing/rules.ts';
import { TicketRule as Rule, type TicketRule, ticketRules } from '#shared/ticketing/ticket-rule.ts';
import { ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import { previewRule } from './preview.ts';
import type { ticketingRuleRoutes } from './rule-routes.ts';

type Routes = typeof ticketingRuleRoutes;

/** @throws validation_failed */
async function assertConnection(table: Table, connectionId: string | null | undefined): Promise<void> {
  if (connectionId && !(await table.find(ticketingConnections, connectionId)))
    throw invalid('connectionId', 'must be the id of a connection: GET /api/v1/ticketing/connections');
}

/** @throws validation_failed */
async function assertApplication(table: Table, { applicationId }: TicketRule['conditions']): Promise<void> {
  if (applicationId && !(await table.find(applications, applicationId)))
    throw invalid('conditions.applicationId', 'must be the id of an application: GET /api/v1/software/applications');
}

/** Writes a rule; a rule that includes current records also queues the task that reads them. */
async function save(
  { connections, table }: Context,
  rule: TicketRule,
  write: (batch: Batch, next: TicketRule) => void,
) {
  if (!rule.enabled || !rule.includesStanding) {
    await table.commit((batch) => write(batch, rule));
    return rule;
  }
  const task = newTask(table.actor, {
    ...{ operation: 'apply_ticket_rule', job: 'ticketing', unit: 'records', input: { ruleId: rule.id } },
    resource: { type: 'ticket_rule', id: rule.id },
  });
  const next = { ...rule, taskId: task.id };
  await queueNewTask({ connections, table }, { task, send: { group: rule.id } }, (batch) => write(batch, next));
  return next;
}

async function createRule(call: Call<Routes['createTicketRule']>) {
  const { table, body } = call;
  await assertConnection(table, body.connectionId);
  await assertApplication(table, body.conditions);
  const { totalCount } = await table.list(ticketRules, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_TICKET_RULES) throw conflict(`An organization has at most ${MAX_TICKET_RULES} such rules.`);
  const [id = ''] = await table.reserve(ticketRules, 1);
  const rule = table.stamp<TicketRule>({ ...body, id, taskId: null });
  return save(call, rule, (batch, next) => batch.create(ticketRules, next));
}

const updateRule = (call: Call<Routes['updateTicketRule']>) =>
  retry(async () => {
    const { table, params, body, ifMatch } = call;
    const before = await table.get(ticketRules, params.id, true);
    const changes = mergePatch(Rule, before, { patch: body, ifMatch });
    if (!changes) return before;
    await assertConnection(table, changes.connectionId);
    if (changes.conditions) await assertApplication(table, changes.conditions);
    const after = table.changed<TicketRule, never>(before, changes);
    return save(call, after, (batch, next) => batch.update(ticketRules, before, next));
  });

export const ticketingRuleHandlers: Handlers<Routes> = {
  listTicketRules: ({ table, query }) => table.list(ticketRules, query),
  createTicketRule: createRule,
  previewTicketRule: (call) => previewRule(call, call.body),
  getTicketRule: ({ table, params }) => table.get(ticketRules, params.id),
  updateTicketRule: updateRule,
  deleteTicketRule: ({ table, params }) =>
    retry(async () => table.delete(ticketRules, await table.get(ticketRules, params.id, true))),
};
