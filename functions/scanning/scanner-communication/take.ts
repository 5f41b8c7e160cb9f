import { nowMs } from '#shared/platform/runtime/clock.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { random } from '#shared/platform/runtime/random.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Found, firstOf, nothing, readHinted } from '#shared/scanning/leases/search.ts';
import { hintOf, type QueuedTask, type WorkHint } from '#shared/scanning/scanner-tasks/queue.ts';
import { type ScannerTask, SHARDS, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';

type Search = { queues: readonly string[]; hint: WorkHint | undefined; room: number; attempt: number };

/** `windows`: until when a scanner may take each task that has a window. */
export type ScannerFound = Found<ScannerTask> & { windows: ReadonlyMap<string, number> };

/** Tasks that wait in these queues, oldest first. */
export async function findWork(table: Table, { queues, hint, room, attempt }: Search): Promise<ScannerFound> {
  const hinted = queues.filter((queue) => hintOf(hint, queue) !== undefined);
  if (hinted.length === 0 || room === 0) return { ...nothing(table, hinted.length > 0), windows: new Map() };
  const { waiting, seen } = await readHinted(table, { queues: hinted, hint, width: widthOf(room) });
  return { ...(await pick(table, waiting, { room, attempt })), seen };
}

/**
 * How many tasks of a queue are read: enough that each counter shard may have the wanted number, within about 10 read
 * units.
 */
export const widthOf = (room: number): number => Math.min(room * SHARDS, 240);

/**
 * The oldest waiting tasks. While very many tasks wait, takes tasks of one random counter shard without regard to their
 * exact order: scanners that poll at the same time then rarely write the same row.
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

/** Takes the tasks that one shard lacks from the next shards. */
function ofOneShard(waiting: readonly QueuedTask[], room: number): QueuedTask[] {
  const first = Math.floor(random() * SHARDS);
  const turnOf = ({ taskId }: QueuedTask) => (ordinalOf(taskId) + first) % SHARDS;
  return waiting.toSorted((a, b) => turnOf(a) - turnOf(b) || (a.sk < b.sk ? -1 : 1)).slice(0, room);
}

/** The scheduler removes a task a moment after its window closed. */
const isOpen = ({ until }: QueuedTask): boolean => until === undefined || until > nowMs();
