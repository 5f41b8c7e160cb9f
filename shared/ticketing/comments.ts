import { findingComments } from '#shared/findings/finding/finding-comment.ts';
import { mentionsIn } from '#shared/people/mentions.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { StoredTicket } from './ticket.ts';
import { type TicketComment, ticketComments } from './ticket-comment.ts';

type NewComment = Pick<TicketComment, 'text' | 'origin' | 'author' | 'externalId'>;

/** Stores a comment at a ticket, and at the finding of a finding's ticket, in one transaction. */
export async function keepComment(
  table: Table,
  { id: ticketId, subject }: Pick<StoredTicket, 'id' | 'subject'>,
  comment: NewComment,
): Promise<TicketComment> {
  const [id = ''] = await table.reserve(ticketComments, 1);
  const [findingCommentId = null] = subject.type === 'finding' ? await table.reserve(findingComments, 1) : [];
  const batch = table.batch();
  const kept = batch.create(ticketComments, table.stamp<TicketComment>({ id, ticketId, findingCommentId, ...comment }));
  const { text } = comment;
  const { mentions } = await mentionsIn(table, text);
  if (findingCommentId !== null)
    batch.create(findingComments, table.stamp({ id: findingCommentId, findingId: subject.id, text, mentions }));
  await batch.commit();
  return kept;
}

/** Keeps the words of a comment that was edited in Jira, at the finding as well, in one transaction. */
export const keepEdit = (table: Table, id: string, text: string): Promise<void> =>
  retry(async () => {
    const current = await table.get(ticketComments, id, true);
    const { findingCommentId } = current;
    const remark = findingCommentId ? await table.find(findingComments, findingCommentId, true) : undefined;
    const batch = table.batch();
    batch.update(ticketComments, current, table.changed<TicketComment, never>(current, { text }));
    if (remark) batch.update(findingComments, remark, table.changed<typeof remark, never>(remark, { text }));
    await batch.commit();
  }, isConflict);
