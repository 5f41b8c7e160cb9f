import { type ApexTask, apexTasks } from '#shared/apex/apex-task.ts';
import { apexQueue } from '#shared/apex/moves.ts';
import type { ApexPresence } from '#shared/apex/presence.ts';
import { clearLanes, publicLane, publicRoom } from '#shared/apex/public.ts';
import { isSuspended } from '#shared/platform/auth/suspension.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { isServing } from '#shared/scanning/leases/room.ts';
import { type Found, firstOf, nothing, readHinted } from '#shared/scanning/leases/search.ts';
import { hintOf, type QueuedTask, type WorkHint } from '#shared/scanning/scanner-tasks/queue.ts';
import { nextTurn } from '#shared/scanning/scanner-tasks/ring.ts';

type Search = { hint: WorkHint | undefined; room: number; attempt: number };

export type ApexFound = Found<ApexTask>;

/**
 * Finds work for an appliance: for a public appliance of the organization whose turn it is, otherwise of its own
 * organization.
 */
export async function findWork(table: Table, presence: ApexPresence, search: Search): Promise<ApexFound> {
  if (!isServing(presence)) return nothing(table);
  return presence.public ? findPublic(table, presence, search) : findOwn(table, presence, search);
}

/** Tasks that wait for the appliance itself, in its zone, and for any: the most urgent first, then the oldest. */
async function findOwn(table: Table, { machineId, zone, taskTypes }: ApexPresence, search: Search): Promise<ApexFound> {
  const { hint, room, attempt } = search;
  const places = [{ applianceId: machineId }, ...(zone === null ? [] : [{ zone }]), 'any' as const];
  const queues = taskTypes.flatMap((type) => places.map((place) => apexQueue(type, place)));
  const hinted = queues.filter((queue) => hintOf(hint, queue) !== undefined);
  if (hinted.length === 0 || room === 0) return nothing(table, hinted.length > 0);
  const { waiting, seen } = await readHinted(table, { queues: hinted, hint, width: widthOf(room, attempt) });
  return { ...(await pick(table, waiting, { room, attempt })), seen };
}

/**
 * Finds work of one organization for a public appliance. All types share one ring, so that an organization's tasks of
 * all types are one queue. Appliances with other types have a ring of their own.
 */
async function findPublic(table: Table, { taskTypes }: ApexPresence, search: Search): Promise<ApexFound> {
  const { hint, room, attempt } = search;
  const lanes = taskTypes.map(publicLane).filter((lane) => hintOf(hint, lane) !== undefined);
  if (lanes.length === 0 || room === 0) return nothing(table, lanes.length > 0);
  const { found, waits, empty } = await nextTurn<ApexFound>(table, {
    ring: publicLane(taskTypes.join()),
    lanes,
    roomOf: async (organizationId) =>
      (await isSuspended(table.dynamo, organizationId)) ? 0 : Math.min(room, await publicRoom(table, organizationId)),
    widthOf: (left) => widthOf(left, attempt),
    serve: async ({ owner, rows, room: left }) => {
      const picked = await pick(owner, rows, { room: left, attempt });
      return picked.tasks.length > 0 ? { ...picked, more: true } : undefined;
    },
  });
  await clearLanes(table, empty, hint);
  return found ?? nothing(table, waits);
}

/** Reads more tasks than the appliance takes, to see whether more wait and to avoid conflicts with other appliances. */
const widthOf = (room: number, attempt: number): number => (attempt === 1 ? room + 1 : room * 4 + 8);

async function pick(owner: Table, rows: readonly QueuedTask[], search: Omit<Search, 'hint'>): Promise<ApexFound> {
  const chosen = firstOf(rows, search);
  const tasks = await Promise.all(chosen.map(({ taskId }) => owner.find(apexTasks, taskId, true)));
  const pending = tasks.flatMap((task) => (task?.status === 'pending' && task.released ? [task] : []));
  return { owner, tasks: pending, more: rows.length > chosen.length, seen: [] };
}
