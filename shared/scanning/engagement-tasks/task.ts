import type { Operation } from '#shared/platform/jobs/operations.ts';
import { newTask, type TaskRow } from '#shared/platform/jobs/task.ts';
import type { Actor } from '#shared/platform/table/actor.ts';

/** A task of the engagements' worker. @param createdBy the caller who may read the task */
export const engagementTask = (createdBy: Actor, operation: Operation, id: string): TaskRow =>
  newTask(createdBy, {
    operation,
    job: 'engagements',
    unit: 'scanner tasks',
    input: { engagementId: id },
    resource: { type: 'engagement', id },
  });
