import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { newTask } from '#shared/platform/jobs/task.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Timer } from '#shared/platform/timers/timers.ts';
import { nextPoll, pollGroup, pollWrites } from '#shared/ticketing/poll-timer.ts';
import { type TicketingConnection, ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

/** Queues the poll of a connection, and sets the timer of the next in the same transaction. */
export const pollConnection = (connections: Connections, timer: Timer): Promise<void> =>
  retry(async () => {
    const table = tableOf(connections.dynamo, timer);
    const connection = await table.find(ticketingConnections, timer.id, true);
    // a timer that a change of the connection replaced
    if (!connection?.pollAt || Date.parse(connection.pollAt) !== timer.at) return dropTimer(connections.dynamo, timer);
    const task = newTask(table.actor, {
      ...{ operation: 'poll_tickets', job: 'ticketing', unit: 'tickets', input: { connectionId: connection.id } },
      resource: { type: 'ticketing_connection', id: connection.id },
    });
    const next = table.changed<TicketingConnection, never>(connection, { pollAt: nextPoll(connection) });
    await queueNewTask({ connections, table }, { task, send: { group: pollGroup(connection.id) } }, (batch) => {
      batch.update(ticketingConnections, connection, next);
      batch.write(...pollWrites(table, connection, next));
    });
  }, isConflict);
