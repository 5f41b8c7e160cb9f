import * as z from 'zod';
import { analystOf, reads } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Id, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { TICKET_SUBJECTS, TicketRule } from '#shared/ticketing/ticket-rule.ts';

const path = '/api/v1/ticketing/rules';
/** Rules open tickets without a person: a key that may open tickets may not make rules. */
const author = analystOf('ticketing');

export const MAX_SAMPLE = 20;

const RulePreview = objectNamed('TicketRulePreview', {
  examined: z.int().meta({ description: 'the open records that the rule may concern and that were read' }),
  isComplete: z
    .boolean()
    .meta({ description: 'false: not all were read within seconds, and the counts are of the newest' }),
  matched: z.int().meta({ description: 'findings, vulnerabilities or fixes that the rule meets' }),
  withoutTicket: z.int().meta({ description: 'of these, those that have no ticket: so many the rule would open' }),
  sample: z.array(z.object({ type: z.enum(TICKET_SUBJECTS), id: Id, title: z.string(), severity: Severity })),
  links: z.object({ list: z.string().nullable() }).meta({
    description: 'the list of the findings or vulnerabilities that would get a ticket, for a day; null for fixes',
    example: { list: '/api/v1/findings?filter=preview:01900000-0000-7000-8000-000000000000' },
  }),
  problems: z
    .array(z.string())
    .meta({ description: 'why Jira would refuse the issues, as far as Jira reports it in advance' }),
});
export type RulePreview = z.infer<typeof RulePreview>;

export const ticketingRuleRoutes = defineRoutes({
  listTicketRules: get(path, {
    summary: 'List the rules that open tickets, newest first',
    description: 'Rules apply in the order of their `order`, not of this list.',
    access: reads('jira:read'),
    query: Listing,
    response: pageOf(TicketRule),
  }),
  createTicketRule: post(path, {
    summary: 'Create a rule that opens tickets',
    description:
      'From now on each finding or vulnerability that appears, or changes, so that it meets all conditions gets one ticket, even ' +
      'if several rules match. Findings on other branches than the default branch open no tickets. With `includesStanding` the ' +
      'task `taskId` also opens tickets for current open records. An organization has at most 50 rules.',
    access: author,
    body: createBody(TicketRule),
    response: TicketRule,
  }),
  previewTicketRule: post(`${path}/preview`, {
    summary: 'Count the tickets that a rule would open for current open records',
    description:
      'Send the body of a new rule; the request changes nothing. The service asks Jira whether the project and the type of issue ' +
      'exist.',
    access: author,
    readOnly: true,
    body: createBody(TicketRule),
    response: RulePreview,
  }),
  getTicketRule: get(`${path}/{id}`, {
    summary: 'Read a rule that opens tickets',
    description: '`GET /api/v1/ticketing/tickets?ruleId=<id>` lists the tickets that it opened.',
    access: reads('jira:read'),
    response: TicketRule,
  }),
  updateTicketRule: patch(`${path}/{id}`, {
    summary: 'Change a rule that opens tickets',
    description: 'Existing tickets do not change.',
    access: author,
    body: patchBody(TicketRule),
    response: TicketRule,
  }),
  deleteTicketRule: remove(`${path}/{id}`, {
    summary: 'Delete a rule that opens tickets',
    description: 'The tickets of the rule stay, and continue to follow their findings, vulnerabilities or fixes.',
    access: author,
    response: Deletion,
  }),
});
