import * as z from 'zod';
import { reads, writes } from '#shared/platform/auth/access.ts';
import { filterParameters } from '#shared/platform/filter/read.ts';
import { anyOf, Listing, onlyTrue, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Id, objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { TICKET_STATUSES, Ticket, TicketSubject } from '#shared/ticketing/ticket.ts';
import { TicketComment } from '#shared/ticketing/ticket-comment.ts';
import { issueTemplate } from '#shared/ticketing/ticket-rule.ts';

const path = '/api/v1/ticketing/tickets';

const filters = {
  ...filterParameters,
  status: anyOf(z.enum(TICKET_STATUSES)).optional(),
  connectionId: Id.optional(),
  ruleId: Id.optional(),
  subjectId: Id.optional().meta({ description: 'a finding, a vulnerability or a fix' }),
  project: z.string().min(1).max(60).optional(),
  failing: onlyTrue.meta({ description: 'tickets with an `error`' }),
};
const TicketQuery = Listing.extend(filters);
export type TicketQuery = z.output<typeof TicketQuery> & { search?: string };

const OpenTickets = objectNamed('OpenTickets', {
  subjects: z
    .array(TicketSubject)
    .min(1)
    .max(100)
    .meta({ example: [{ type: 'finding', id: '01900000-0000-7000-8000-000000000000' }] }),
  connectionId: Id.nullable().default(null).meta({ description: 'null: the oldest connection', example: null }),
  ...issueTemplate,
});
export type OpenTickets = z.output<typeof OpenTickets>;

const OpenedTickets = objectNamed('OpenedTickets', {
  results: z.array(
    z.object({
      subject: TicketSubject,
      accepted: z.boolean(),
      ticketId: Id.optional(),
      isNew: z.boolean().optional().meta({ description: 'false: the subject had this ticket before' }),
      code: z.string().optional(),
      message: z.string().optional(),
    }),
  ),
});
export type OpenedTicket = z.infer<typeof OpenedTickets>['results'][number];

export const ticketRoutes = defineRoutes({
  listTickets: get(path, {
    summary: 'List tickets, newest first',
    description: 'All filters combine with each other.',
    access: reads('jira:read'),
    query: TicketQuery,
    response: searchPageOf(Ticket),
  }),
  searchTickets: get(`${path}/search`, {
    summary: 'Search tickets by their issue key and the words of their title',
    description: 'The filters of the list combine with the words.',
    access: reads('jira:read'),
    query: SearchQuery.extend(filters),
    response: searchPageOf(Ticket),
  }),
  openTickets: post(path, {
    summary: 'Open tickets for findings, vulnerabilities or fixes',
    description:
      'Each subject has its own answer. A subject that already has a ticket is answered with that ticket. The task of the ticket ' +
      'creates the issue in Jira; if Jira refuses, `error` of the ticket has the reason.',
    access: writes('jira:write'),
    body: OpenTickets,
    response: OpenedTickets,
  }),
  getTicket: get(`${path}/{id}`, {
    summary: 'Read a ticket',
    description: 'The ticket has the state of its issue at the last comparison (`syncedAt`).',
    access: reads('jira:read'),
    response: Ticket,
  }),
  syncTicket: post(`${path}/{id}/sync`, {
    summary: 'Synchronize a ticket with Jira now',
    description:
      'Use this after you have fixed the cause of an `error`; otherwise the service synchronizes tickets automatically.',
    access: writes('jira:write'),
    response: QueuedResponse,
  }),
  listTicketComments: get(`${path}/{id}/comments`, {
    summary: 'List the comments of a ticket, newest first',
    description:
      'Lists the comments of both sides since the ticket was opened. Later edits and deletions are not synchronized.',
    access: reads('jira:read'),
    query: Listing,
    response: pageOf(TicketComment),
  }),
  createTicketComment: post(`${path}/{id}/comments`, {
    summary: 'Comment on a ticket',
    description:
      'The comment is sent to Jira with your name. If the ticket belongs to a finding, the finding shows the comment too.',
    access: writes('jira:write'),
    body: createBody(TicketComment),
    response: TicketComment,
  }),
});
