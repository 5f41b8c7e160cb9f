import { nowMs } from '#shared/platform/runtime/clock.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { random } from '#shared/platform/runtime/random.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Found, firstOf, nothing, readHinted } from '#shared/scanning/leases/search.ts';
import { hintOf, type QueuedTask, type WorkHint } from '#shared/scanning/scanner-tasks/queue.ts';
import { type ScannerTask, SHARDS, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';

type Search = { queues: readonly string[]; hint: WorkHint | undefined; room: number; attempt: number };

/** `windows`: until when each task may be taken, of those with a window. */
export type ScannerFound = Found<ScannerTask> & { windows: ReadonlyMap<string, number> };

/** Tasks that wait in these queues, oldest first. */
export async function findWork(table: Table, { queues, hint, room, attempt }: Search): Promise<ScannerFound> {
  const hinted = queues.filter((queue) => hintOf(hint, queue) !== undefined);
  if (hinted.length === 0 || room === 0) return { ...nothing(table, hinted.length > 0), windows: new Map() };
  const { waiting, seen } = await readHinted(table, { queues: hinted, hint, width: widthOf(room) });
  return { ...(await pick(table, waiting, { room, attempt })), seen };
}

/** How far into a queue is looked: so far that each counter shard may have what is taken, within 10 read units or so. */
export const widthOf = (room: number): number => Math.min(room * SHARDS, 240);

/**
 * The oldest tasks that wait. While very many wait, their order among the first is given up for tasks of one counter
 * shard, any one: scanners that poll at once then rarely meet on a row.
 */
export async function pick(
  owner: Table,
  found: readonly QueuedTask[],
  { room, attempt }: Pick<Search, 'room' | 'attempt'>,
): Promise<ScannerFound> {
  const waiting = found.filter(isOpen);
  const chosen = waiting.length < widthOf(room) ? firstOf(waiting, { room, attempt }) : ofOneShard(waiting, room);
  const tasks: ScannerTask[] = await owner.findMany(
    scannerTasks,
    chosen.map(({ taskId }) => taskId),
  );
  const windows = new Map(
    chosen.flatMap(({ taskId, until }) => (until === undefined ? [] : [[taskId, until] as const])),
  );
  const more = found.length > chosen.length;
  return { owner, tasks: tasks.filter(({ status }) => status === 'pending'), windows, more, seen: [] };
}

/** Tasks that one shard lacks are taken from the shards behind it. */
function ofOneShard(waiting: readonly QueuedTask[], room: number): QueuedTask[] {
  const first = Math.floor(random() * SHARDS);
  const turnOf = ({ taskId }: QueuedTask) => (ordinalOf(taskId) + first) % SHARDS;
  return waiting.toSorted((a, b) => turnOf(a) - turnOf(b) || (a.sk < b.sk ? -1 : 1)).slice(0, room);
}

/** The scheduler takes away what was not taken before its window closed, a moment later than it closed. */
const isOpen = ({ until }: QueuedTask): boolean => until === undefined || until > nowMs();
