import { byOperation, type Work, workerHandler } from '#shared/platform/jobs/worker.ts';
import { noteCallsDead } from '#shared/platform/outgoing/record-call.ts';
import { noteEvent } from '#shared/ticketing/health.ts';
import { tickets } from '#shared/ticketing/ticket.ts';
import { applyTicketRule } from './apply-rule.ts';
import { pollTickets } from './poll.ts';
import { noteProblem } from './problems.ts';
import { Input as EventInput, receiveTicketEvent } from './receive.ts';
import { results } from './results.ts';
import { syncTicket, Input as TicketInput } from './sync-ticket.ts';

const run = byOperation({
  sync_ticket: syncTicket,
  poll_tickets: pollTickets,
  receive_ticket_event: receiveTicketEvent,
  apply_ticket_rule: applyTicketRule,
});

export const handler = workerHandler('ticketing', run, { results, deadLettered });

/** A ticket keeps the reason that Jira gave, if it did; a poll is followed by the next. */
async function deadLettered({ table, task }: Work): Promise<void> {
  if (task.operation === 'receive_ticket_event') {
    const { integrationId, deliveryId } = EventInput.parse(task.input);
    return noteEvent(
      table,
      integrationId,
      `The delivery ${deliveryId} could not be worked: ${task.error?.message ?? ''}`,
    );
  }
  if (task.operation !== 'sync_ticket') return;
  const { ticketId } = TicketInput.parse(task.input);
  const ticket = await table.get(tickets, ticketId, true);
  await noteCallsDead(table, ticket.connectionId, task.id);
  if (!ticket.error && task.error) await noteProblem(table, ticketId, task.error);
}
