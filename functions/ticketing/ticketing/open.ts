import { isOpen } from '#shared/findings/finding/finding-status.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { connectionFor, readConnections } from '#shared/ticketing/connections.ts';
import { openTicket } from '#shared/ticketing/open-ticket.ts';
import { readSubject } from '#shared/ticketing/subject.ts';
import type { Ticket } from '#shared/ticketing/ticket.ts';
import type { TicketingConnection } from '#shared/ticketing/ticketing-connection.ts';
import type { OpenedTicket, OpenTickets } from './ticket-routes.ts';

const AT_ONCE = 4;

/** Opens a ticket for each subject that is open and has none. @returns an answer for each */
export async function openAll(context: Context, body: OpenTickets): Promise<OpenedTicket[]> {
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
