import { outboxWrites, queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { newTask, type QueuedResponse, queued, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type StoredTicket, tickets } from './ticket.ts';

/** One worker at a time compares a ticket with Jira. */
export const ticketGroup = (id: string): string => `ticket-${id}`;

const newSync = (table: Table, id: string): TaskRow =>
  newTask(table.actor, {
    operation: 'sync_ticket',
    job: 'ticketing',
    unit: 'tickets',
    input: { ticketId: id },
    resource: { type: 'ticket', id },
  });

/** The first task of a ticket, for the transaction that opens it. */
export function firstSync(table: Table, id: string): { task: TaskRow; send: { group: string }; writes: Write[] } {
  const task = newSync(table, id);
  const send = { group: ticketGroup(id) };
  return { task, send, writes: outboxWrites(table, task, send) };
}

/**
 * Queues the comparison of a ticket with Jira. Returns a waiting task instead of a second one; a running one may have
 * read before this change.
 */
export const queueTicketSync = ({ connections, table }: Context, id: string): Promise<QueuedResponse> =>
  retry(async () => {
    const ticket = await table.get(tickets, id, true);
    const last = ticket.taskId ? await table.rows(taskRows).find({ id: ticket.taskId }, true) : undefined;
    if (last?.status === 'queued') return queued(last);
    const task = newSync(table, id);
    const send = { group: ticketGroup(id) };
    return queueNewTask({ connections, table }, { task, send }, (batch) => {
      batch.update(tickets, ticket, table.changed<StoredTicket, never>(ticket, { taskId: task.id }));
    });
  }, isConflict);
