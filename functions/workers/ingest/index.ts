import { workerHandler } from '#shared/jobs/worker.ts';
import { giveUp, wakeNext } from './finish.ts';
import { runIngest } from './run.ts';
import { Input } from './session.ts';

export const handler = workerHandler('ingest', runIngest, {
  finished: (work) => wakeNext(work, Input.parse(work.task.input).scope),
  deadLettered: (work) => giveUp(work, Input.parse(work.task.input).scope),
});
