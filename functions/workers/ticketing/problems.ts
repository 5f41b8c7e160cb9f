import type { Problem } from '#shared/code/integrations/health.ts';
import { continueAt, type Later } from '#shared/platform/jobs/continue.ts';
import { TaskFailure } from '#shared/platform/jobs/worker.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { noteJira } from '#shared/ticketing/health.ts';
import { type StoredTicket, tickets } from '#shared/ticketing/ticket.ts';

/** Keeps why a ticket could not be brought up to date. */
export async function noteProblem(table: Table, id: string, { code, message }: Problem): Promise<void> {
  await table.modify(tickets, id, () => ({ error: { code, message, at: now() } }));
}

/** These are of the whole connection; others, such as a field that the project does not have, of one ticket. */
const OF_CONNECTION = ['token_refused', 'not_allowed', 'unreachable'];

/** Stores the problem in the connection. A task waits where Jira limits requests, and ends otherwise. */
export async function waitOrEnd(later: Later, connectionId: string, error: unknown): Promise<undefined> {
  if (!(error instanceof HostError)) throw error;
  const { code, message, retryAt } = error;
  if (retryAt) return continueAt(later, retryAt);
  if (OF_CONNECTION.includes(code)) await noteJira(later.table, connectionId, { code, message });
  throw new TaskFailure(code, message);
}

/** The same, and the ticket shows it too. A Jira that is away comes back, and so does the message. */
export async function waitOrFail(later: Later, ticket: StoredTicket, error: unknown): Promise<undefined> {
  if (error instanceof HostError && !error.retryAt) await noteProblem(later.table, ticket.id, error);
  try {
    return await waitOrEnd(later, ticket.connectionId, error);
  } catch (end) {
    throw error instanceof HostError && error.code === 'unreachable' ? error : end;
  }
}
