import * as z from 'zod';
import { defineRoutes } from '#shared/http/route.ts';
import { Task } from '#shared/jobs/task.ts';
import { WaitSeconds } from '#shared/jobs/wait.ts';

export const taskRoutes = defineRoutes({
  getTask: {
    method: 'GET',
    path: '/api/v1/tasks/{id}',
    operation: 'HandleGetTaskStatus',
    summary: 'Follow a queued operation',
    description:
      'People and service accounts of the organization can read its tasks, API keys those of the operations that their ' +
      'scopes fit, and a machine its own; other tasks are `not_found`. A shared scanner can read the tasks that read ' +
      'its reports, although these belong to its client. `progress` counts in `unit`; with `waitSeconds` the answer ' +
      'has the progress at the end of the wait. A finished task has `finishedAt`, and `result` or `error`.',
    access: 'authenticated',
    query: z.object({ waitSeconds: WaitSeconds }),
    response: Task,
  },
});
