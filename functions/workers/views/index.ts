import { type Visit, workerHandler } from '#shared/jobs/worker.ts';
import { elapsedMs } from '#shared/runtime/clock.ts';
import { newId } from '#shared/runtime/ids.ts';
import { keepViews } from '#shared/views/follow.ts';
import { wakeViews } from '#shared/views/wake.ts';
import { openViews } from './list.ts';
import { rebuild } from './rebuild.ts';
import { results } from './results.ts';

/** A visit ends well before the function's time limit; a message of its own goes on. */
const VISIT_MS = 40_000;

export const handler = workerHandler('views', rebuild, { results, visit });

async function visit({ connections, table }: Visit): Promise<void> {
  const end = elapsedMs() + VISIT_MS;
  const views = await openViews(connections);
  if (await keepViews(table, views, () => elapsedMs() > end)) return;
  await wakeViews(connections, table, newId());
}
