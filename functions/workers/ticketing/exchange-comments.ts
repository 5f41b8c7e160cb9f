import { findingComments } from '#shared/entities/finding-comment.ts';
import type { StoredTicket } from '#shared/entities/ticket.ts';
import { type TicketComment, ticketComments } from '#shared/entities/ticket-comment.ts';
import { shortened } from '#shared/runtime/texts.ts';
import { ordinalsOf, recordsAt } from '#shared/table/selected.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { keepComment } from '#shared/ticketing/comments.ts';
import type { Issue, Jira, JiraComment } from '#shared/ticketing/jira/api.ts';
import { forwardedText, referenceIn } from './reference.ts';

type Exchanging = { table: Table; jira: Jira; ticket: StoredTicket; issue: Issue; comments: readonly JiraComment[] };

/** Takes the comments of an issue that are new, and sends those that were written here. @returns how many of both */
export async function exchangeComments(exchanging: Exchanging): Promise<{ taken: number; sent: number }> {
  const { table, ticket } = exchanging;
  const known = await recordsAt(
    table,
    ticketComments,
    await ordinalsOf(table, ticketComments, { where: { ticket: ticket.id } }),
  );
  const taken = await takeNew(exchanging, known);
  const unsent = [...known.filter(({ externalId }) => externalId === null), ...(await ofFinding(exchanging, known))];
  for (const comment of unsent) await send(exchanging, comment);
  return { taken, sent: unsent.length };
}

async function takeNew(exchanging: Exchanging, known: readonly TicketComment[]): Promise<number> {
  const ids = new Set(known.map(({ externalId }) => externalId));
  const fresh = exchanging.comments.filter(({ id, text }) => !ids.has(id) && referenceIn(text) === undefined);
  for (const comment of fresh) await take(exchanging, comment);
  return fresh.length;
}

/** A comment holds so many characters. */
const MOST_TEXT = 9_990;

/** The author in Jira is the author here. */
async function take(
  { table, ticket, issue }: Exchanging,
  { id: externalId, author, text }: JiraComment,
): Promise<void> {
  const by = { kind: 'system', id: 'ticketing', name: `${author} (${issue.key})`, cause: table.cause } as const;
  const own = openTable(table.dynamo, table.organizationId, by);
  const words = shortened(text, MOST_TEXT) || '(a comment without words)';
  await keepComment(own, ticket, { text: words, origin: 'ticketing', author, externalId });
}

/** Notes the comments that people made on the finding since it has a ticket. */
async function ofFinding({ table, ticket }: Exchanging, known: readonly TicketComment[]): Promise<TicketComment[]> {
  const { type, id } = ticket.subject;
  if (type !== 'finding') return [];
  const noted = new Set(known.map(({ findingCommentId }) => findingCommentId));
  const all = await recordsAt(
    table,
    findingComments,
    await ordinalsOf(table, findingComments, { where: { finding: id } }),
  );
  const fresh = all.filter((one) => one.createdAt >= ticket.createdAt && !noted.has(one.id));
  const made: TicketComment[] = [];
  for (const { id: findingCommentId, text, createdBy } of fresh.toSorted((a, b) =>
    a.createdAt < b.createdAt ? -1 : 1,
  )) {
    const about = { ticketId: ticket.id, text, origin: 'service' as const, author: createdBy.name };
    made.push(await table.create(ticketComments, { ...about, externalId: null, findingCommentId }));
  }
  return made;
}

/** One that Jira has already, because its answer was lost, is known by its reference. */
async function send({ table, jira, issue, comments }: Exchanging, comment: TicketComment): Promise<void> {
  const standing = comments.find(({ text }) => referenceIn(text) === comment.id);
  const externalId =
    standing?.id ?? (await jira.comment(issue.id, forwardedText(comment.text, comment.author, comment.id)));
  await table.modify(ticketComments, comment.id, () => ({ externalId }));
}
