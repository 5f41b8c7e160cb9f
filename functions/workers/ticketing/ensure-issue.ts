import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { now, secondsAfter } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { issueFor, labelOf } from '#shared/ticketing/issue.ts';
import type { Issue, Jira } from '#shared/ticketing/jira/api.ts';
import type { Subject } from '#shared/ticketing/subject.ts';
import { type StoredTicket, tickets } from '#shared/ticketing/ticket.ts';

type Ensuring = { table: Table; jira: Jira; subject: Subject | undefined; baseUrl: string };

/** The issue of a ticket, undefined when it does not exist; or the time to search again. */
type Found = { issue: Issue | undefined } | { retryAt: string };

/**
 * An answer may be lost, and the search of Jira knows a new issue some seconds after its creation. So nobody asks again before this
 * time is over, in which also a request of a killed worker has ended.
 */
const SETTLE_SECONDS = 60;

/** Finds the issue of a ticket, or creates it. Repeating this creates only one issue. */
export async function ensureIssue(ensuring: Ensuring, ticket: StoredTicket): Promise<Found> {
  const { jira } = ensuring;
  if (ticket.issueId !== null) return { issue: await jira.issue(ticket.issueId) };
  const { attemptedAt } = ticket;
  if (attemptedAt !== null) {
    const settledAt = secondsAfter(attemptedAt, SETTLE_SECONDS);
    if (settledAt > now()) return { retryAt: settledAt };
    const [known] = (await jira.labelled(labelOf(ticket))).toSorted((a, b) => Number(a) - Number(b));
    if (known !== undefined) return keepIssue(ensuring, ticket, known);
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
