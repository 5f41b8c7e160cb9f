import type { Operation } from '../jobs/operations.ts';
import { newTask, type TaskRow } from '../jobs/task.ts';

/** A task of the engagements' worker. @param ownerId the caller who may read the task */
export const engagementTask = (ownerId: string, operation: Operation, id: string): TaskRow =>
  newTask(ownerId, {
    operation,
    job: 'engagements',
    unit: 'scanner tasks',
    input: { engagementId: id },
    resource: { type: 'engagement', id },
  });
