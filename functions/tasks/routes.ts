import * as z from 'zod';
import { defineRoutes } from '#shared/http/route.ts';
import { Task } from '#shared/jobs/task.ts';
import { WaitSeconds } from '#shared/jobs/wait.ts';

export const taskRoutes = defineRoutes({
  getTask: {
    method: 'GET',
    path: '/api/v1/tasks/{id}',
    operation: 'HandleGetTaskStatus',
    summary: 'Follow an operation that was queued',
    description:
      'Readable by the caller that started the operation; to everyone else it does not exist. A shared scanner so ' +
      'follows the reading of its own reports, which belongs to its client. ' +
      '`progress` counts in `unit`, `result` and `error` are there when `finishedAt` is.',
    access: 'authenticated',
    query: z.object({ waitSeconds: WaitSeconds }),
    response: Task,
  },
});
