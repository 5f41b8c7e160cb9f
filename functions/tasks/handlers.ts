import { notFound } from '#shared/http/errors.ts';
import type { Handlers } from '#shared/http/route.ts';
import { publicTask } from '#shared/jobs/task.ts';
import { waitForTask } from '#shared/jobs/wait.ts';
import type { taskRoutes } from './routes.ts';

export const taskHandlers: Handlers<typeof taskRoutes> = {
  async getTask({ table, caller, params, query }) {
    // Looked at first without waiting: a stranger must not be able to hold a function for 20 seconds.
    const now = await waitForTask(table, params.id, 0);
    if (now?.owner !== caller.id) throw notFound('task', params.id);
    const task = query.waitSeconds > 0 ? await waitForTask(table, params.id, query.waitSeconds) : now;
    return publicTask(task ?? now);
  },
};
