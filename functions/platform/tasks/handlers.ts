import { type Caller, isStaff } from '#shared/platform/auth/permissions.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { mayReadTask, readableTasks } from '#shared/platform/jobs/operations.ts';
import { publicTask, type TaskRow } from '#shared/platform/jobs/task.ts';
import { taskFilter } from '#shared/platform/jobs/task-filter.ts';
import { listTasks } from '#shared/platform/jobs/task-list.ts';
import { organizationOfCausedTask } from '#shared/platform/jobs/tasks-of-others.ts';
import { waitForTask } from '#shared/platform/jobs/wait.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { taskRoutes } from './routes.ts';

type Readable = { home: Table; task: TaskRow };

/**
 * A task that the caller may read: a task of its organization, or the own task of a provider's machine or staff in a
 * client's organization.
 */
async function findTask(table: Table, caller: Caller, id: string): Promise<Readable | undefined> {
  const task = await waitForTask(table, id, 0);
  if (task && mayReadTask(caller, task)) return { home: table, task };
  const worksForOthers = caller.kind === 'machine' || isStaff(caller);
  const home = task === undefined && worksForOthers ? await organizationOfCausedTask(table, id) : undefined;
  const caused = home && (await waitForTask(home, id, 0));
  return home && caused?.owner === caller.id ? { home, task: caused } : undefined;
}

export const taskHandlers: Handlers<typeof taskRoutes> = {
  async listTasks({ table, caller, query: asked }) {
    const { operation, ...query } = await withMatching({ table, caller }, taskFilter, asked);
    const { operations, owner } = readableTasks(caller);
    const wanted = operations.filter((name) => operation?.includes(name) ?? true);
    const of = table.part ? caller.id : owner;
    const { data, next } = await listTasks(table, { ...query, operations: wanted, owner: of });
    return { data: data.map(publicTask), next };
  },

  async getTask({ table, caller, params, query }) {
    // Looks without waiting first: a caller who may not read the task must not keep a function busy for 20 seconds.
    const found = await findTask(table, caller, params.id);
    if (!found) throw notFound('task', params.id);
    const { home, task } = found;
    const later = query.waitSeconds > 0 ? await waitForTask(home, params.id, query.waitSeconds) : task;
    return publicTask(later ?? task);
  },
};
