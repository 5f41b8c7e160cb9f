import { moveOldSheets } from '#shared/platform/feed/archive.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Timer } from '#shared/platform/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

/** The oldest sheet of a change log is old enough to leave the table. The next timer is set before this one goes. */
export async function moveLog(connections: Connections, timer: Timer): Promise<void> {
  await moveOldSheets({ table: tableOf(connections.dynamo, timer), connections });
  await dropTimer(connections.dynamo, timer);
}
