import { moveOldSheets } from '#shared/platform/feed/archive.ts';
import type { Due } from './due.ts';

/** The oldest sheet of a change log is old enough to leave the table. The next timer is set before this one goes. */
export async function moveLog({ table, connections, drop }: Due): Promise<void> {
  await moveOldSheets({ table, connections });
  await drop();
}
