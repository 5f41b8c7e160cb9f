import * as z from 'zod';
import { Mention, Unresolved } from '#shared/people/mentions.ts';
import { Id, objectNamed, readOnly, recordFields, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** The people whom a comment names, and what its author learns of names that lead to nobody. */
export const mentions = readOnly(
  z.array(Mention).default([]).meta({
    description:
      'the people whom the text names: `@ana`, `@ana@example.com` or `@[Ana Lima]`. A subscription to `mentioned` notifies each once',
  }),
);
export const unresolved = z
  .array(Unresolved)
  .meta({ description: 'names in the text that lead to nobody, or to several people, who are not notified' });

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
