import { type Work, workerHandler } from '#shared/platform/jobs/worker.ts';
import { noteEvent } from '#shared/ticketing/health.ts';
import { tickets } from '#shared/ticketing/ticket.ts';
import { applyTicketRule } from './apply-rule.ts';
import { pollTickets } from './poll.ts';
import { noteProblem } from './problems.ts';
import { Input as EventInput, receiveTicketEvent } from './receive.ts';
import { results } from './results.ts';
import { syncTicket, Input as TicketInput } from './sync-ticket.ts';

const works = {
  sync_ticket: syncTicket,
  poll_tickets: pollTickets,
  receive_ticket_event: receiveTicketEvent,
  apply_ticket_rule: applyTicketRule,
};

const isKnown = (operation: string): operation is keyof typeof works => Object.hasOwn(works, operation);

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
  if (!ticket.error && task.error) await noteProblem(table, ticketId, task.error);
}

/** @throws when no release that runs knows the operation: the message comes again */
async function run(work: Work) {
  const { operation } = work.task;
  if (!isKnown(operation)) throw new Error(`the operation ${operation}, which nobody works`);
  return works[operation](work);
}
