import * as z from 'zod';
import { workerHandler } from '#shared/platform/jobs/worker.ts';
import { giveUpPlace } from '#shared/platform/quotas/places.ts';
import { makeRun } from './make-run.ts';
import { results } from './results.ts';
import { StopOrder, stopAll } from './stop-all.ts';

const Input = z.union([
  z.object({ work: z.literal('run'), runId: z.uuid() }),
  z.object({ work: z.literal('stop-all'), ...StopOrder.shape }),
]);

export const handler = workerHandler(
  'apex',
  (work) => {
    const input = Input.parse(work.task.input);
    return input.work === 'run' ? makeRun(work, input.runId) : stopAll(work, input);
  },
  {
    results,
    async deadLettered({ table, task }) {
      const input = Input.parse(task.input);
      if (input.work === 'run') await giveUpPlace(table, 'tasks', input.runId);
    },
  },
);
