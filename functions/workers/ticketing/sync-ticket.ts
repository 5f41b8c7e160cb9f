import * as z from 'zod';
import { isOpen } from '#shared/findings/finding/finding-status.ts';
import { continueAt } from '#shared/platform/jobs/continue.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { noteCallsDead, noteCallsNotNeeded, recorderOf } from '#shared/platform/outgoing/record-call.ts';
import { now, secondsAfter } from '#shared/platform/runtime/clock.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { SYNCING } from '#shared/ticketing/follow.ts';
import { noteJira } from '#shared/ticketing/health.ts';
import { issueFor, labelOf } from '#shared/ticketing/issue.ts';
import type { Issue, Jira } from '#shared/ticketing/jira/api.ts';
import { openJira } from '#shared/ticketing/open.ts';
import { ticketGroup } from '#shared/ticketing/queue-sync.ts';
import { readSubject, type Subject } from '#shared/ticketing/subject.ts';
import { type StoredTicket, type SubjectStatus, tickets } from '#shared/ticketing/ticket.ts';
import { type TicketingConnection, ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';
import { exchangeComments } from './exchange-comments.ts';
import { noteProblem, waitOrFail } from './problems.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { requestRetest } from './request-retest.ts';
import type { SyncedTicket } from './results.ts';

export const Input = z.object({ ticketId: z.uuid() });

/** Brings a ticket and its issue to each other. Each of its steps looks first whether it was done before. */
export async function syncTicket(given: Work): Promise<SyncedTicket | undefined> {
  const work = asTicketing(given);
  const { table, task, connections } = work;
  const ticket = await table.get(tickets, Input.parse(task.input).ticketId, true);
  const connection = await table.find(ticketingConnections, ticket.connectionId, true);
  if (!connection?.enabled) return endUnconnected(work, ticket);
  const later = { ...work, group: ticketGroup(ticket.id) };
  try {
    const record = recorderOf(
      { table },
      {
        targetId: connection.id,
        channel: 'jira',
        subject: `ticket/${ticket.id}`,
        work: { taskId: task.id, group: later.group },
      },
    );
    const jira = await openJira({ connections, table }, connection, record);
    const subject = await readSubject(table, ticket);
    const ensuring = { table, jira, subject, baseUrl: connections.settings.BASE_URL };
    const found = await ensureIssue(ensuring, ticket);
    if ('retryAt' in found) return continueAt(later, found.retryAt);
    const result = found.issue
      ? await compare(work, jira, { ticket, connection, issue: found.issue })
      : await miss(work, ticket);
    await noteCallsNotNeeded(table, connection.id, task.id);
    await noteJira(table, connection.id, undefined, true);
    return result;
  } catch (error) {
    return waitOrFail(later, ticket, error);
  }
}

/** Jira is the author of the changes that it causes. */
function asTicketing(work: Work): Work {
  const { table, task, connections } = work;
  const cause = { operation: SYNCING, taskId: task.id };
  const by = { kind: 'system', id: 'ticketing', name: 'Jira', cause } as const;
  return { ...work, table: openTable(connections.dynamo, table.organizationId, by) };
}

async function endUnconnected({ table, task }: Work, ticket: StoredTicket): Promise<never> {
  await noteCallsDead(table, ticket.connectionId, task.id);
  const problem = { code: 'conflict', message: 'The connection of the ticket was deleted or disabled.' };
  await noteProblem(table, ticket.id, problem);
  throw new TaskFailure(problem.code, problem.message);
}

const MISSING = 'missing' as const;

async function miss({ table }: Work, ticket: StoredTicket): Promise<SyncedTicket> {
  const message =
    ticket.issueId === null
      ? 'Its subject was deleted before the issue was created.'
      : 'Jira has no such issue any more, or the token may not see it.';
  const error = { code: 'not_found', message, at: now() };
  await table.modify(tickets, ticket.id, () => ({ status: MISSING, error, syncedAt: now() }));
  return { status: MISSING, effects: [] };
}

type Compared = { ticket: StoredTicket; connection: TicketingConnection; issue: Issue };

/**
 * Moves in Jira come first, then moves in this service, then comments of both; the ticket stores what both sides know.
 */
async function compare(work: Work, jira: Jira, { ticket, connection, issue }: Compared): Promise<SyncedTicket> {
  const { table } = work;
  const [subject, comments] = await Promise.all([readSubject(table, ticket), jira.comments(issue.id)]);
  const status = await pull(work, { ticket, subject, issue });
  if (awaitsProof(issue.category, status) && !ticket.retestId) await requestRetest(work, ticket);
  const pushed = await push({ jira, ticket, issue, comments }, { status, reason: subject?.reason });
  const exchanged = await exchangeComments({ table, jira, ticket, issue, comments });
  const shown = { ...issue, ...pushed.issue, url: `${connection.baseUrl}/browse/${issue.key}` };
  const after = await table.modify(tickets, ticket.id, (current) => ({
    ...shownFields(current, shown),
    ...(pushed.told && { toldCount: ticket.toldCount + 1 }),
    subjectStatus: status,
    awaitsProof: awaitsProof(shown.category, status),
    syncedAt: now(),
    ...(shown.category !== 'done' && { retestId: null }),
    error: pushed.problem === undefined ? null : { code: 'no_transition', message: pushed.problem, at: now() },
  }));
  return { status: after.status, effects: effectsOf(ticket, after, exchanged) };
}

const awaitsProof = (category: Issue['category'], status: SubjectStatus): boolean =>
  category === 'done' && status !== 'gone' && isOpen(status);

type Shown = Pick<Issue, 'key' | 'status' | 'category' | 'assignee' | 'updatedAt'> & { url: string };

function shownFields({ resolvedAt }: StoredTicket, { key, status, category, assignee, updatedAt, url }: Shown) {
  return {
    issueKey: key,
    issueStatus: status,
    status: category,
    assignee,
    url,
    issueUpdatedAt: updatedAt,
    resolvedAt: category === 'done' ? (resolvedAt ?? now()) : null,
  };
}

function effectsOf(
  before: StoredTicket,
  after: StoredTicket,
  { taken, sent, edited }: { taken: number; sent: number; edited: number },
): string[] {
  return [
    before.issueKey === null ? ['issue_opened'] : [],
    before.status !== after.status && before.issueKey !== null ? [`issue_${after.status}`] : [],
    before.subjectStatus === after.subjectStatus ? [] : [`subject_${after.subjectStatus}`],
    taken > 0 ? ['comments_taken'] : [],
    sent > 0 ? ['comments_sent'] : [],
    edited > 0 ? ['comments_edited'] : [],
  ].flat();
}

type Ensuring = { table: Table; jira: Jira; subject: Subject | undefined; baseUrl: string };

/** The issue of a ticket, undefined when it does not exist; or the time to search again. */
type Found = { issue: Issue | undefined } | { retryAt: string };

/**
 * An answer may be lost, and the search of Jira knows a new issue some seconds after its creation. So nobody asks again before this
 * time is over, in which also a request of a killed worker has ended.
 */
const SETTLE_SECONDS = 60;

/** Finds the issue of a ticket, or creates it. Repeating this creates only one issue. */
async function ensureIssue(ensuring: Ensuring, ticket: StoredTicket): Promise<Found> {
  const { jira } = ensuring;
  if (ticket.issueId !== null) return { issue: await jira.issue(ticket.issueId) };
  const { attemptedAt } = ticket;
  if (attemptedAt !== null) {
    const settledAt = secondsAfter(attemptedAt, SETTLE_SECONDS);
    if (settledAt > now()) return { retryAt: settledAt };
    const [known] = (await jira.labelled(labelOf(ticket))).toSorted((a, b) => Number(a) - Number(b));
    if (known !== undefined) {
      await jira.noteFound('jira.issue');
      return keepIssue(ensuring, ticket, known);
    }
  }
  return create(ensuring, ticket);
}

/** These say that no issue was created; others may come after Jira has done so. */
const REFUSALS = ['token_refused', 'not_allowed', 'not_found', 'rate_limited'];

async function create(ensuring: Ensuring, ticket: StoredTicket): Promise<Found> {
  const { table, jira, subject, baseUrl } = ensuring;
  if (!subject) return { issue: undefined };
  const attempted = await table.update(tickets, ticket, { attemptedAt: now() });
  try {
    const id = await jira.create(issueFor(ticket, subject, baseUrl));
    return await keepIssue(ensuring, attempted, id);
  } catch (error) {
    const isRefused = error instanceof HostError && REFUSALS.includes(error.code);
    if (isRefused) await table.modify(tickets, ticket.id, () => ({ attemptedAt: null }));
    throw error;
  }
}

async function keepIssue({ table, jira }: Ensuring, { id }: StoredTicket, issueId: string): Promise<Found> {
  await table.modify(tickets, id, () => ({ issueId }));
  return { issue: await jira.issue(issueId) };
}
