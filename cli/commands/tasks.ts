import { answerOf } from '../client.ts';
import type { Define } from '../command.ts';
import type { Kind } from '../records/kind.ts';
import { recordCommands } from '../records/list.ts';

/** Tasks are in the order of time: their pages follow a mark, and nothing counts them. */
const TASKS: Kind = {
  plural: 'tasks',
  columns: ['operation', 'status', 'progress', 'createdBy', 'createdAt', 'id'],
  wide: ['operation', 'progress', 'createdBy'],
  maxPageSize: 100,
  facts: ['id', 'operation', 'status', 'progress', 'error.message', 'result', 'createdBy', 'createdAt', 'finishedAt'],
  async page(client, { filter, size }, from) {
    const query = { limit: size, filter, before: from === undefined ? undefined : String(from) };
    const { data, next } = await answerOf(client.GET('/api/v1/tasks', { params: { query } }));
    return { data, next: next ?? undefined };
  },
  show: (client, id) => answerOf(client.GET('/api/v1/tasks/{id}', { params: { path: { id } } })),
};

/** `exposure tasks` */
export const define: Define = (command, act) => recordCommands(command, act, TASKS);
