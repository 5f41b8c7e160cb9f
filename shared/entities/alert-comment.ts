import * as z from 'zod';
import { Id, readOnly, recordFields } from '../http/records.ts';
import { defineEntity } from '../table/entity.ts';
import { FindingComment } from './finding-comment.ts';

/** A person's remark on an alert; `createdBy` is its author. */
export const AlertComment = z
  .object({ ...recordFields, alertId: readOnly(Id), text: FindingComment.shape.text })
  .meta({ id: 'AlertComment' });
export type AlertComment = z.infer<typeof AlertComment>;

export const alertComments = defineEntity<AlertComment>(AlertComment, {
  name: 'alert-comment',
  parents: { alert: { of: ({ alertId }) => alertId } },
  told: ['alertId', 'text'],
});
