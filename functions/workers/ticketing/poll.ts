import * as z from 'zod';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { pagesOf } from '#shared/platform/outgoing/pages.ts';
import { elapsedMs, now, nowMs } from '#shared/platform/runtime/clock.ts';
import { noteJira } from '#shared/ticketing/health.ts';
import { OUR_LABEL } from '#shared/ticketing/issue.ts';
import { openJira } from '#shared/ticketing/open.ts';
import { pollGroup } from '#shared/ticketing/poll-timer.ts';
import { queueTicketSync } from '#shared/ticketing/queue-sync.ts';
import { tickets } from '#shared/ticketing/ticket.ts';
import { type TicketingConnection, ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import { waitOrEnd } from './problems.ts';
import type { PolledTickets } from './results.ts';

const Input = z.object({ connectionId: z.uuid() });

const MINUTE_MS = 60_000;
/** The search of Jira lags behind, and takes whole minutes. */
const OVERLAP_MINUTES = 5;
/** A new connection has no older tickets; after a longer outage tickets are compared when they change. */
const MAX_MINUTES = 30 * 24 * 60;
/** The next poll reads the rest. */
const MAX_PAGES = 50;
const POLL_MS = 20_000;

/** Asks which issues changed since the last poll, and queues the comparison of their tickets. */
export async function pollTickets(work: Work): Promise<PolledTickets | undefined> {
  const { table, task, connections } = work;
  const { connectionId } = Input.parse(task.input);
  const connection = await table.find(ticketingConnections, connectionId, true);
  if (!connection?.enabled) throw new TaskFailure('conflict', 'The connection was deleted or turned off.');
  try {
    const jira = await openJira({ connections, table }, connection);
    return await readChanged(work, connection, (minutes, next) => jira.changedWithin(OUR_LABEL, minutes, next));
  } catch (error) {
    return waitOrEnd({ ...work, group: pollGroup(connectionId) }, connectionId, error);
  }
}

type Changed = { issues: { id: string; updatedAt: string }[]; next: string | undefined };
type Ask = (minutes: number, next: string | undefined) => Promise<Changed>;

async function readChanged(work: Work, connection: TicketingConnection, ask: Ask): Promise<PolledTickets> {
  const startedAt = now();
  const minutes = minutesSince(connection.polledAt ?? connection.createdAt);
  const endMs = elapsedMs() + POLL_MS;
  const counted = { seen: 0, queued: 0 };
  let reached = startedAt;
  for await (const { issues, next } of pagesOf((at) => ask(minutes, at), { most: MAX_PAGES })) {
    counted.seen += issues.length;
    for (const issue of issues) if (await queueIfChanged(work, connection.id, issue)) counted.queued += 1;
    reached = next === undefined ? startedAt : timeOr(startedAt, issues.at(-1)?.updatedAt);
    if (elapsedMs() > endMs) break;
  }
  await work.table.modify(ticketingConnections, connection.id, () => ({ polledAt: reached }));
  await noteJira(work.table, connection.id, undefined);
  return counted;
}

const minutesSince = (time: string): number =>
  Math.min(Math.ceil((nowMs() - Date.parse(time)) / MINUTE_MS) + OVERLAP_MINUTES, MAX_MINUTES);

/** Issues come in the order of their changes: the next poll continues after the last read issue. */
function timeOr(otherwise: string, time: string | undefined): string {
  const moment = Date.parse(time ?? '');
  return Number.isNaN(moment) ? otherwise : new Date(moment).toISOString();
}

async function queueIfChanged(work: Work, connectionId: string, { id, updatedAt }: Changed['issues'][number]) {
  const ticket = await work.table.findUnique(tickets, { field: 'issue', value: `${connectionId}#${id}` }, true);
  if (!ticket || ticket.issueUpdatedAt === updatedAt) return false;
  await queueTicketSync(work, ticket.id);
  return true;
}
