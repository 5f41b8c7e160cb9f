import * as z from 'zod';
import { reads } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Id, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { TICKET_SUBJECTS, TicketRule } from '#shared/ticketing/ticket-rule.ts';

const path = '/api/v1/ticketing/rules';
/** Rules open tickets unattended: a key that may open some may not make them. */
const author = { role: 'analyst' } as const;

export const MAX_EXAMINED = 500;
export const MAX_SAMPLE = 20;

const RulePreview = z
  .object({
    examined: z
      .int()
      .meta({ description: `the newest ${MAX_EXAMINED} open records that the rule may concern, at most` }),
    isComplete: z.boolean().meta({ description: 'false: there are more, and the counts are of the newest' }),
    matched: z.int().meta({ description: 'findings, vulnerabilities or fixes that the rule meets' }),
    withoutTicket: z.int().meta({ description: 'of these, those that have no ticket: so many the rule would open' }),
    sample: z.array(z.object({ type: z.enum(TICKET_SUBJECTS), id: Id, title: z.string(), severity: Severity })),
    problems: z.array(z.string()).meta({ description: 'why Jira would refuse the issues, as far as it tells before' }),
  })
  .meta({ id: 'TicketRulePreview' });
export type RulePreview = z.infer<typeof RulePreview>;

export const ticketingRuleRoutes = defineRoutes({
  listTicketRules: {
    method: 'GET',
    path,
    summary: 'List the rules that open tickets, newest first',
    description: 'They decide by their `order`, whatever their place in this list.',
    access: reads('jira:read'),
    query: Pagination,
    response: pageOf(TicketRule),
  },
  createTicketRule: {
    method: 'POST',
    path,
    summary: 'Open tickets for all that meets some conditions',
    description:
      'From now on each finding or vulnerability that appears, or changes so that it meets all conditions, gets a ticket: one, however often rules ' +
      'meet it. Findings of branches beside the default one open none. With `includesStanding` the task `taskId` opens tickets for those ' +
      'that are open already. An organization has at most 50 rules.',
    access: author,
    body: createBody(TicketRule),
    response: TicketRule,
  },
  previewTicketRule: {
    method: 'POST',
    path: `${path}/preview`,
    summary: 'Count the tickets that a rule would open for those that are open now',
    description:
      'Takes the body of a new rule and changes nothing. Jira is asked whether it has the project and the type of issue.',
    access: author,
    body: createBody(TicketRule),
    response: RulePreview,
  },
  getTicketRule: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a rule that opens tickets',
    description: '`GET /api/v1/ticketing/tickets?ruleId=<id>` lists the tickets that it opened.',
    access: reads('jira:read'),
    response: TicketRule,
  },
  updateTicketRule: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change a rule that opens tickets',
    description: 'Tickets that stand are left as they are.',
    access: author,
    body: patchBody(TicketRule),
    response: TicketRule,
  },
  deleteTicketRule: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a rule that opens tickets',
    description: 'Its tickets stay, and follow their subjects as before.',
    access: author,
    response: Deletion,
  },
});
