import type * as z from 'zod';
import { mentions, unresolved } from '#shared/people/mentions.ts';
import { Id, objectNamed, readOnly, recordFields, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** A person's remark on a finding; `createdBy` is its author. */
export const FindingComment = objectNamed('FindingComment', {
  ...recordFields,
  findingId: readOnly(
    Id.meta({ description: 'the finding of the comment, even if it was combined with another finding' }),
  ),
  text: trimmedText(10_000).meta({
    description: 'Markdown',
    example: 'Confirmed on the staging system, see `orders.ts`.',
  }),
  mentions,
});
/** A comment as the operations that write it answer it. */
export const WrittenComment = FindingComment.extend({ unresolved }).meta({ id: 'WrittenFindingComment' });
export type FindingComment = z.infer<typeof FindingComment>;

export const findingComments = defineEntity<FindingComment>(FindingComment, {
  name: 'finding-comment',
  inPart: 'whole',
  indexed: ({ findingId }) => ({ finding: findingId }),
  feedFields: ['findingId', 'text', 'mentions'],
});
