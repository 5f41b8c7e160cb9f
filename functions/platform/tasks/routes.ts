import * as z from 'zod';
import { filterParameters } from '#shared/platform/filter/read.ts';
import { anyOf, numberIn } from '#shared/platform/http/pagination.ts';
import { Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get } from '#shared/platform/http/route.ts';
import { OPERATION_NAMES } from '#shared/platform/jobs/operations.ts';
import { TASK_STATUSES, Task } from '#shared/platform/jobs/task.ts';
import { WaitSeconds } from '#shared/platform/jobs/wait.ts';

const TasksQuery = z.object({
  ...filterParameters,
  operation: anyOf(z.enum(OPERATION_NAMES)).optional(),
  status: anyOf(z.enum(TASK_STATUSES)).optional(),
  since: Timestamp.optional().meta({ description: 'only tasks created at this time or later' }),
  before: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z_[\da-f-]{36}$/, 'must be `next` of an answer of this operation')
    .optional()
    .meta({ description: '`next` of the previous answer' }),
  limit: numberIn(z.int().min(1).max(100)).default(50).meta({ description: 'maximum number of tasks in the answer' }),
});

export const taskRoutes = defineRoutes({
  listTasks: get('/api/v1/tasks', {
    summary: 'List queued operations, newest first',
    description:
      'People and service accounts see the tasks of their organization. API keys see the tasks of the operations that their scopes ' +
      'allow. A machine sees its own tasks in its organization. Tasks are listed for 30 days. An answer may hold fewer tasks than ' +
      '`limit`, or none, and still have `next`. New tasks do not move the pages that you have yet to read: you get each task once.',
    access: 'authenticated',
    inPart: 'seen',
    query: TasksQuery,
    response: z
      .object({
        data: z.array(Task),
        next: z
          .string()
          .nullable()
          .meta({ description: 'send it as `before` to get the next page; null: there are no more' }),
      })
      .meta({ id: 'TasksAnswer' }),
  }),
  getTask: get('/api/v1/tasks/{id}', {
    operation: 'HandleGetTaskStatus',
    summary: 'Follow a queued operation',
    description:
      'People and service accounts can read the tasks of their organization, API keys the tasks of the operations that their ' +
      'scopes allow, and a machine its own tasks; other tasks are `not_found`. A shared scanner can read the tasks that import its ' +
      'reports, although these tasks belong to its client. `progress` counts in `unit`; with `waitSeconds` the answer has the ' +
      'progress at the end of the wait. `progress.waitsFor` names a task that has to end before this task begins, for example a ' +
      'task that applies rules about assets. A finished task has `finishedAt`, and `result` or `error`.',
    access: 'authenticated',
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    response: Task,
  }),
});
