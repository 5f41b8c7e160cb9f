import * as z from 'zod';
import { Actor, Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { ENTRY_KINDS } from './timeline.ts';

/** One line of a timeline in the callers' view. */
export const TimelineEntry = objectNamed('TimelineEntry', {
  id: Id,
  at: Timestamp,
  by: Actor,
  kind: z.enum(ENTRY_KINDS),
  text: z.string().optional().meta({ description: 'the words of a note, or the reason of a change' }),
  changes: z
    .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
    .optional()
    .meta({ example: { status: { from: 'new', to: 'acknowledged' } } }),
  alertId: Id.optional(),
  responseActionId: Id.optional(),
  taskId: Id.optional().meta({ description: 'the task of the change of many alerts that includes this change' }),
});

export const Before = z.object({
  before: Id.optional().meta({
    description: 'lists the entries before this entry: the last entry of an earlier answer',
  }),
});
