import * as z from 'zod';
import { Id, objectNamed, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { RUN_STATUSES } from './engagement.ts';
import { FindingChanges } from './finding-changes.ts';

/** One run of an engagement; a recurring engagement has many. */
export const EngagementRun = objectNamed('EngagementRun', {
  ...recordFields,
  engagementId: Id,
  number: z.int().positive(),
  status: z.enum(RUN_STATUSES),
  statusReason: z.string().nullable(),
  scheduledFor: Timestamp.nullable().meta({ description: 'the start by the schedule; null: started at once' }),
  taskId: Id.nullable().meta({ description: 'the task that made its scanner tasks' }),
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
  tasks: z
    .object({ completed: z.int(), failed: z.int(), cancelled: z.int() })
    .meta({ description: 'its ended tasks, once the run has ended' }),
  findings: FindingChanges.optional().meta({
    description: 'the findings that its reports created, closed and reopened, by severity; in lists of runs',
  }),
});
export type EngagementRun = z.infer<typeof EngagementRun>;

export const engagementRuns = defineEntity<EngagementRun>(EngagementRun, {
  name: 'engagement-run',
  parents: { engagement: { of: ({ engagementId }) => engagementId } },
});
