import type { TaskType } from '#shared/assets/targets/scan-target.ts';
import { isSuspended } from '#shared/platform/auth/suspension.ts';
import { random } from '#shared/platform/runtime/random.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { ScannerPresence } from '#shared/scanning/fleet/presence.ts';
import { nothing, seenQueue } from '#shared/scanning/leases/search.ts';
import { laneOf, openPools, type Pool, poolRows } from '#shared/scanning/scanner-tasks/pools.ts';
import { clearHint, hintOf, type WorkHint } from '#shared/scanning/scanner-tasks/queue.ts';
import { nextTurn, type ServedTurn } from '#shared/scanning/scanner-tasks/ring.ts';
import { EVERYONE, type Limits, leftOf, readUsage } from '#shared/scanning/scanner-tasks/usage.ts';
import { readFit } from '#shared/scanning/scanner-tasks/waiting.ts';
import { pick, type ScannerFound, widthOf } from './take.ts';

type Search = { types: readonly TaskType[]; hint: WorkHint | undefined; room: number; attempt: number };
export type FoundShared = ScannerFound & { limits: ReadonlyMap<string, Limits> };

const noneOf = (table: Table, more: boolean): FoundShared => ({
  ...nothing(table, more),
  windows: new Map(),
  limits: new Map(),
});

/** The tasks of the organization whose turn it is, in one of the scanner's pools. Each lane has its own ring. */
export async function findShared(table: Table, presence: ScannerPresence, search: Search): Promise<FoundShared> {
  const lanes = hintedLanes(presence, search);
  if (lanes.length === 0 || search.room === 0) return noneOf(table, lanes.length > 0);
  // begins with a random lane, so that no lane is always first
  const start = Math.floor(random() * lanes.length);
  let more = false;
  for (const lane of [...lanes.slice(start), ...lanes.slice(0, start)]) {
    const found = await findInLane(table, presence, { ...search, ...lane });
    if (found.tasks.length > 0) return { ...found, more: found.more || lanes.length > 1 };
    more ||= found.more;
  }
  return noneOf(table, more);
}

type Lane = { poolId: string; lane: string; seen: unknown };

function hintedLanes({ publicGroupIds = [] }: ScannerPresence, { types, hint }: Search): Lane[] {
  const lanes = publicGroupIds.flatMap((poolId) => types.map((type) => ({ poolId, lane: laneOf(poolId, type) })));
  return lanes.map((lane) => ({ ...lane, seen: hintOf(hint, lane.lane) })).filter(({ seen }) => seen !== undefined);
}

async function findInLane(table: Table, presence: ScannerPresence, search: Search & Lane): Promise<FoundShared> {
  const { poolId, lane, seen } = search;
  const pool = await openPools(table.dynamo).rows(poolRows).find({ poolId });
  if (!pool?.enabled) return noneOf(table, false);
  const room = await roomIn(table, presence, { pool, room: search.room });
  if (room === 0) return noneOf(table, true);
  const { found, waits, empty } = await nextTurn<FoundShared>(table, {
    ring: lane,
    lanes: [lane],
    roomOf: (organizationId) => roomOf(table, organizationId, { pool, room }),
    widthOf,
    serve: (served) => take(served, pool, { attempt: search.attempt, clear: () => clearHint(table, lane, seen) }),
  });
  if (empty.length > 0) await clearHint(table, lane, seen);
  return found ?? noneOf(table, waits);
}

/** How many tasks the scanner may take from the pool now. */
async function roomIn(table: Table, presence: ScannerPresence, { pool, room }: { pool: Pool; room: number }) {
  const { poolId, maxConcurrentTasks, dispatch } = pool;
  if (maxConcurrentTasks === null && dispatch === 'round_robin') return room;
  const running = await readUsage(table, { groupId: poolId, owner: EVERYONE }, true);
  const left = Math.min(room, leftOf(maxConcurrentTasks, running));
  if (dispatch === 'round_robin') return left;
  const online = (await readFit(table, null, poolId))['on:any'] ?? 1;
  // a scanner that holds more than its part leaves most waiting tasks to the others
  return Object.keys(presence.leases).length > running / Math.max(1, online) ? Math.min(1, left) : left;
}

async function roomOf(table: Table, organizationId: string, { pool, room }: { pool: Pool; room: number }) {
  const { poolId, maxConcurrentTasksPerOrganization: most } = pool;
  if (await isSuspended(table.dynamo, organizationId)) return 0;
  const running = most === null ? 0 : await readUsage(table, { groupId: poolId, owner: organizationId }, true);
  return Math.min(room, leftOf(most, running));
}

type Taking = { attempt: number; clear: () => Promise<void> };

/** The waiting tasks of one organization that may run now, with the limits that their lease needs. */
async function take(served: ServedTurn, pool: Pool, { attempt, clear }: Taking): Promise<FoundShared | undefined> {
  const { owner, rows, room, isAlone, leave } = served;
  const { poolId, maxConcurrentTasks: total, maxConcurrentTasksPerOrganization: perOrganization } = pool;
  const found = await pick(owner, rows, { room, attempt });
  if (found.tasks.length === 0) return undefined;
  const giveUp = async () => {
    if ((await leave()) && isAlone) await clear();
  };
  const seen = seenQueue(rows, { width: widthOf(room), clear: giveUp });
  return { ...found, seen, more: found.more || !isAlone, limits: new Map([[poolId, { total, perOrganization }]]) };
}
