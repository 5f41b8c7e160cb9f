import { isOpen } from '#shared/findings/finding/finding-status.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { keepComment } from '#shared/ticketing/comments.ts';
import { connectionFor, readConnections } from '#shared/ticketing/connections.ts';
import { ticketFilter } from '#shared/ticketing/filter-fields.ts';
import { openTicket } from '#shared/ticketing/open-ticket.ts';
import { queueTicketSync } from '#shared/ticketing/queue-sync.ts';
import { readSubject } from '#shared/ticketing/subject.ts';
import { type StoredTicket, Ticket, tickets } from '#shared/ticketing/ticket.ts';
import { ticketComments } from '#shared/ticketing/ticket-comment.ts';
import type { TicketingConnection } from '#shared/ticketing/ticketing-connection.ts';
import type { OpenedTicket, OpenTickets, TicketQuery, ticketRoutes } from './ticket-routes.ts';

const AT_ONCE = 4;

/** Opens a ticket for each subject that is open and has none. @returns an answer for each */
async function openAll(context: Context, body: OpenTickets): Promise<OpenedTicket[]> {
  const usable = await readConnections(context.table);
  const connection = connectionFor(usable, body.connectionId);
  if (!connection && body.connectionId !== null)
    throw invalid('connectionId', 'must be the id of a connection that is enabled and has a token');
  return eachAtOnce(body.subjects, AT_ONCE, (subject) => openOne(context, subject, { connection, template: body }));
}

type Where = { connection: TicketingConnection | undefined; template: OpenTickets };

async function openOne(
  context: Context,
  subject: Ticket['subject'],
  { connection, template }: Where,
): Promise<OpenedTicket> {
  const about = await readSubject(context.table, { subject });
  if (!about) return refusal(subject, 'not_found', `There is no ${subject.type} ${subject.id}.`);
  if (!isOpen(about.status)) return refusal(subject, 'conflict', `It is ${about.status}: nothing is left to do.`);
  if (!connection)
    throw conflict('No connection to Jira is enabled and has a token: POST /api/v1/ticketing/connections.');
  const wanted = { subject, about, connectionId: connection.id, ruleId: null, template };
  const { ticket, isNew } = await openTicket(context, wanted);
  return { subject, accepted: true, ticketId: ticket.id, isNew };
}

const refusal = (subject: Ticket['subject'], code: string, message: string): OpenedTicket => ({
  subject,
  accepted: false,
  code,
  message,
});

type Asked = { table: Table; caller: Caller; query: TicketQuery };

const show = (stored: StoredTicket): Ticket => Ticket.parse(stored);

async function list({ table, caller, query }: Asked) {
  const asked = await withMatching({ table, caller }, ticketFilter, query);
  const { paginateFrom, paginateSize, ids, search, matching, ...filter } = asked;
  const { status, connectionId, ruleId, subjectId, project, failing } = filter;
  const named = { status, connection: connectionId, rule: ruleId, subject: subjectId, project: project?.toUpperCase() };
  const where = given({ ...named, failing: failing && 'true' });
  const words = search === undefined ? {} : { search };
  const page = table.list(tickets, {
    paginateFrom,
    paginateSize,
    ids,
    ...words,
    matching,
    ...(Object.keys(where).length > 0 && { where }),
  });
  return showEach(page, show);
}

export const ticketHandlers: Handlers<typeof ticketRoutes> = {
  listTickets: list,
  searchTickets: list,
  openTickets: async (call) => ({ results: await openAll(call, call.body) }),
  getTicket: async ({ table, params }) => show(await table.get(tickets, params.id)),
  syncTicket: ({ connections, table, params }) => queueTicketSync({ connections, table }, params.id),

  async listTicketComments({ table, params, query }) {
    const { id } = await table.get(tickets, params.id);
    return table.list(ticketComments, { ...query, where: { ticket: id } });
  },

  async createTicketComment({ connections, table, caller, params, body }) {
    const ticket = await table.get(tickets, params.id, true);
    const written = { text: body.text, origin: 'service', author: caller.name, externalId: null } as const;
    const comment = await keepComment(table, ticket, written);
    await queueTicketSync({ connections, table }, ticket.id);
    return comment;
  },
};
