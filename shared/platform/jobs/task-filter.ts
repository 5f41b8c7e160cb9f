import { EXAMPLE_ID, type Fields, type Filtered } from '../filter/fields.ts';
import { marksFrom } from '../table/layout/marks.ts';
import { OPERATION_NAMES } from './operations.ts';
import { TASK_STATUSES, type TaskRow } from './task.ts';

/** The fields of filters of tasks. */
const fields: Fields = {
  operation: {
    kind: 'choice',
    mark: 'operation',
    values: OPERATION_NAMES,
    about: 'the work of the task',
    example: 'update_findings',
  },
  status: { kind: 'choice', mark: 'status', values: TASK_STATUSES, about: 'the status', example: 'failed,cancelled' },
  by: { kind: 'person', mark: 'by', absent: true, about: 'the id of the one who queued it', example: 'me' },
  resource: {
    kind: 'value',
    mark: 'resource',
    absent: true,
    about: 'the id of the record that it concerns',
    example: EXAMPLE_ID,
  },
  created: { kind: 'day', order: 'created', about: 'the day on which it was queued', example: '7d' },
  finished: { kind: 'day', order: 'finished', about: 'the day of its end', example: '2026-11' },
};

export const taskFilter: Filtered = { entity: 'task', fields: () => fields };

/** The marks that an index would have of a task: the list reads its tasks in order and tries the filter on each. */
export const marksOfTask = ({ operation, status, owner, resource, createdAt, finishedAt }: TaskRow): string[] =>
  marksFrom(
    { operation, status, by: owner, resource: resource?.id ?? null },
    { created: createdAt.slice(0, 10), finished: finishedAt?.slice(0, 10) },
  );
