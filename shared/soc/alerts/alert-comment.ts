import * as z from 'zod';
import { FindingComment } from '#shared/findings/finding/finding-comment.ts';
import { mentions, unresolved } from '#shared/people/mentions.ts';
import { Id, readOnly, recordFields } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** A person's remark on an alert; `createdBy` is its author. */
export const AlertComment = z
  .object({ ...recordFields, alertId: readOnly(Id), text: FindingComment.shape.text, mentions })
  .meta({ id: 'AlertComment' });
/** A comment as the operations that write it answer it. */
export const WrittenAlertComment = AlertComment.extend({ unresolved }).meta({ id: 'WrittenAlertComment' });
export type AlertComment = z.infer<typeof AlertComment>;

export const alertComments = defineEntity<AlertComment>(AlertComment, {
  name: 'alert-comment',
  inPart: 'whole',
  parents: { alert: { of: ({ alertId }) => alertId } },
  feedFields: ['alertId', 'text', 'mentions'],
});
