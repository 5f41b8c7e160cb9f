import { showEach } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { keepComment } from '#shared/ticketing/comments.ts';
import { queueTicketSync } from '#shared/ticketing/queue-sync.ts';
import { type StoredTicket, Ticket, tickets } from '#shared/ticketing/ticket.ts';
import { ticketComments } from '#shared/ticketing/ticket-comment.ts';
import { openAll } from './open.ts';
import type { TicketQuery, ticketRoutes } from './ticket-routes.ts';

const show = (stored: StoredTicket): Ticket => Ticket.parse(stored);

function list(table: Table, { paginateFrom, paginateSize, search, ...filter }: TicketQuery) {
  const { status, connectionId, ruleId, subjectId, project, failing } = filter;
  const named = { status, connection: connectionId, rule: ruleId, subject: subjectId, project: project?.toUpperCase() };
  const where = given({ ...named, failing: failing && 'true' });
  const words = search === undefined ? {} : { search };
  const page = table.list(tickets, {
    paginateFrom,
    paginateSize,
    ...words,
    ...(Object.keys(where).length > 0 && { where }),
  });
  return showEach(page, show);
}

export const ticketHandlers: Handlers<typeof ticketRoutes> = {
  listTickets: ({ table, query }) => list(table, query),
  searchTickets: ({ table, query }) => list(table, query),
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
