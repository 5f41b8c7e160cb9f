import type { Work } from '#shared/jobs/worker.ts';
import { newId } from '#shared/runtime/ids.ts';
import { log } from '#shared/runtime/log.ts';
import { wakeViews } from '#shared/views/wake.ts';

/**
 * Views show what a task changed seconds after its end, and not a minute later by their timer, which comes also if this fails.
 * Not before the end: a long import would share its time with them.
 */
export async function wakeViewsSoon({ connections, table, task }: Work): Promise<void> {
  try {
    await wakeViews(connections, table, newId());
  } catch (error) {
    log.warn('views left to the sweeper', { taskId: task.id, reason: String(error) });
  }
}
