import * as z from 'zod';
import { Id, readOnly, recordFields } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** A person's remark on a finding; `createdBy` is its author. */
export const FindingComment = z
  .object({
    ...recordFields,
    findingId: readOnly(
      Id.meta({ description: 'the finding of the comment, even if it was combined with another finding' }),
    ),
    text: z
      .string()
      .trim()
      .min(1)
      .max(10_000)
      .meta({ description: 'Markdown', example: 'Confirmed on the staging system, see `orders.ts`.' }),
  })
  .meta({ id: 'FindingComment' });
export type FindingComment = z.infer<typeof FindingComment>;

export const findingComments = defineEntity<FindingComment>(FindingComment, {
  name: 'finding-comment',
  indexed: ({ findingId }) => ({ finding: findingId }),
  feedFields: ['findingId', 'text'],
});
