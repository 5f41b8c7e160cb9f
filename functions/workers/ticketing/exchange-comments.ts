import { type FindingComment, findingComments } from '#shared/findings/finding/finding-comment.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { keepComment, keepEdit } from '#shared/ticketing/comments.ts';
import type { Issue, Jira, JiraComment } from '#shared/ticketing/jira/api.ts';
import type { StoredTicket } from '#shared/ticketing/ticket.ts';
import { type TicketComment, ticketComments } from '#shared/ticketing/ticket-comment.ts';
import { forwardedText, markOf, referenceIn } from './reference.ts';

type Exchanging = { table: Table; jira: Jira; ticket: StoredTicket; issue: Issue; comments: readonly JiraComment[] };

/**
 * Takes the comments of an issue that are new, sends those that were written here, and carries edits to the other side: a comment is
 * its author's, so it is edited where it was written. @returns how many of each
 */
export async function exchangeComments(
  exchanging: Exchanging,
): Promise<{ taken: number; sent: number; edited: number }> {
  const { table, ticket } = exchanging;
  const known = await recordsOf(table, ticketComments, { where: { ticket: ticket.id } });
  const onFinding = await commentsOfFinding(table, ticket);
  const taken = await takeNew(exchanging, known);
  const unsent = known.filter(({ externalId }) => externalId === null);
  const fresh = await noteFresh(exchanging, known, onFinding);
  const sent: TicketComment[] = [];
  for (const comment of [...unsent, ...fresh]) sent.push(await send(exchanging, comment));
  const before = known.filter(({ externalId }) => externalId !== null);
  const edited = (await takeEdits(exchanging, before)) + (await sendEdits(exchanging, [...before, ...sent], onFinding));
  return { taken, sent: sent.length, edited };
}

async function commentsOfFinding(table: Table, { subject: { type, id } }: StoredTicket): Promise<FindingComment[]> {
  if (type !== 'finding') return [];
  return recordsOf(table, findingComments, { where: { finding: id } });
}

async function takeNew(exchanging: Exchanging, known: readonly TicketComment[]): Promise<number> {
  const ids = new Set(known.map(({ externalId }) => externalId));
  const fresh = exchanging.comments.filter(({ id, text }) => !ids.has(id) && referenceIn(text) === undefined);
  for (const comment of fresh) await take(exchanging, comment);
  return fresh.length;
}

/** A comment holds so many characters. */
const MAX_TEXT = 9_990;

const wordsOf = ({ text }: JiraComment): string => shortened(text, MAX_TEXT) || '(a comment without words)';

/** The author in Jira is the author here. */
async function take({ table, ticket, issue }: Exchanging, comment: JiraComment): Promise<void> {
  const { id: externalId, author } = comment;
  const by = { kind: 'system', id: 'ticketing', name: `${author} (${issue.key})`, cause: table.cause } as const;
  const own = openTable(table.dynamo, table.organizationId, by);
  await keepComment(own, ticket, { text: wordsOf(comment), origin: 'ticketing', author, externalId });
}

/** Comments that their authors edited in Jira. */
async function takeEdits({ table, comments }: Exchanging, known: readonly TicketComment[]): Promise<number> {
  const there = new Map(comments.map((one) => [one.id, wordsOf(one)]));
  const edited = known.filter(({ origin, externalId, text }) => {
    const words = there.get(externalId ?? '');
    return origin === 'ticketing' && words !== undefined && words !== text;
  });
  for (const one of edited) await keepEdit(table, one.id, there.get(one.externalId ?? '') ?? one.text);
  return edited.length;
}

/**
 * Sends the comments on the finding that their authors edited in this service. Sends an edit that Jira already has
 * again.
 */
async function sendEdits(
  { table, jira, issue }: Exchanging,
  known: readonly TicketComment[],
  onFinding: readonly FindingComment[],
): Promise<number> {
  const texts = new Map(onFinding.map(({ id, text }) => [id, text]));
  let count = 0;
  for (const { id, origin, externalId, findingCommentId, text: former, author } of known) {
    const text = texts.get(findingCommentId ?? '');
    if (origin !== 'service' || externalId === null || text === undefined || text === former) continue;
    await jira.editComment(issue.id, externalId, forwardedText(text, author, id));
    await table.modify(ticketComments, id, () => ({ text }));
    count += 1;
  }
  return count;
}

/** Notes the comments that people made on the finding since it has a ticket. */
async function noteFresh(
  { table, ticket }: Exchanging,
  known: readonly TicketComment[],
  onFinding: readonly FindingComment[],
): Promise<TicketComment[]> {
  const noted = new Set(known.map(({ findingCommentId }) => findingCommentId));
  const fresh = onFinding.filter((one) => one.createdAt >= ticket.createdAt && !noted.has(one.id));
  const made: TicketComment[] = [];
  for (const { id: findingCommentId, text, createdBy } of fresh.toSorted((a, b) =>
    a.createdAt < b.createdAt ? -1 : 1,
  )) {
    const about = { ticketId: ticket.id, text, origin: 'service' as const, author: createdBy.name };
    made.push(await table.create(ticketComments, { ...about, externalId: null, findingCommentId }));
  }
  return made;
}

/** A comment that Jira already has, because its answer was lost, is recognized by its reference. */
async function send({ table, jira, issue, comments }: Exchanging, comment: TicketComment): Promise<TicketComment> {
  const current = comments.find(({ text }) => referenceIn(text) === comment.id);
  if (current) await jira.noteFound('jira.comment', markOf(comment.id));
  const externalId =
    current?.id ?? (await jira.comment(issue.id, forwardedText(comment.text, comment.author, comment.id)));
  return table.modify(ticketComments, comment.id, () => ({ externalId }));
}
