import type { Table } from '#shared/platform/table/table.ts';
import type { ScannerPresence } from '#shared/scanning/fleet/presence.ts';
import type { WorkHint } from '#shared/scanning/scanner-tasks/queue.ts';
import { parseScannerQueue } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { groupLimits, withinLimits } from './group-limits.ts';
import { findWork } from './take.ts';
import { type FoundShared, findShared } from './take-shared.ts';
import { queuesOf, typesOf } from './work-for.ts';

type Search = { named: readonly string[] | undefined; hint: WorkHint | undefined; room: number; attempt: number };

/** Work for a scanner: of its pools if it is shared, else of its own organization, within the limits of both. */
export async function find(table: Table, presence: ScannerPresence, search: Search): Promise<FoundShared> {
  const { named, hint, room, attempt } = search;
  if (presence.publicGroupIds?.length)
    return findShared(table, presence, { types: typesOf(presence, named), hint, room, attempt });
  const queues = queuesOf(presence, named);
  const limits = room > 0 ? await groupLimits(table, presence, { queues, hint }) : new Map();
  const isOpen = (queue: string) => limits.get(parseScannerQueue(queue).groupId ?? '')?.left !== 0;
  const found = await findWork(table, { queues: queues.filter(isOpen), hint, room, attempt });
  const tasks = withinLimits(found.tasks, limits);
  const more = found.more || tasks.length < found.tasks.length || queues.some((queue) => !isOpen(queue));
  return { ...found, tasks, more, limits };
}
