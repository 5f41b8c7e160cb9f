import * as z from 'zod';
import { Id, objectNamed, readOnly, recordFields } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** A comment of a ticket's issue, written here or in Jira. */
export const TicketComment = objectNamed('TicketComment', {
  ...recordFields,
  ticketId: readOnly(Id),
  text: z.string().trim().min(1).max(10_000).meta({ example: 'The new version is tested, we roll it out on Monday.' }),
  origin: readOnly(z.enum(['service', 'ticketing']).meta({ description: 'where it was written' })),
  author: readOnly(z.string().meta({ description: 'the name of its author there' })),
  externalId: readOnly(z.string().nullable().meta({ description: 'its id in Jira; null: it is still to be sent' })),
  findingCommentId: readOnly(Id.nullable().meta({ description: 'the same comment on the finding' })),
});
export type TicketComment = z.infer<typeof TicketComment>;

export const ticketComments = defineEntity<TicketComment>(TicketComment, {
  name: 'ticket-comment',
  indexed: ({ ticketId, externalId }) => ({ ticket: ticketId, ...(externalId === null && { unsent: ticketId }) }),
  unique: ({ ticketId, externalId, findingCommentId }) => ({
    external: externalId && `${ticketId}#${externalId}`,
    findingComment: findingCommentId,
  }),
  feedFields: ['ticketId', 'text', 'origin', 'author'],
});
