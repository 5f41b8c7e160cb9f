import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { newTask } from '#shared/platform/jobs/task.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { nextPoll, pollGroup, pollWrites } from '#shared/ticketing/poll-timer.ts';
import { type TicketingConnection, ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import type { Due } from './due.ts';

/** Queues the poll of a connection, and sets the timer of the next in the same transaction. */
export const pollConnection = ({ table, connections, timer, drop }: Due): Promise<void> =>
  retry(async () => {
    const connection = await table.find(ticketingConnections, timer.id, true);
    // a timer that a change of the connection replaced
    if (!connection?.pollAt || Date.parse(connection.pollAt) !== timer.at) return drop();
    const task = newTask(table.actor, {
      operation: 'poll_tickets',
      job: 'ticketing',
      unit: 'tickets',
      input: { connectionId: connection.id },
      resource: { type: 'ticketing_connection', id: connection.id },
    });
    const next = table.changed<TicketingConnection, never>(connection, { pollAt: nextPoll(connection) });
    await queueNewTask({ connections, table }, { task, send: { group: pollGroup(connection.id) } }, (batch) => {
      batch.update(ticketingConnections, connection, next);
      batch.write(...pollWrites(table, connection, next));
    });
  }, isConflict);
