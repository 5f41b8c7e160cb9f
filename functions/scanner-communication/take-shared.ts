import type { TaskType } from '#shared/entities/scanner.ts';
import {
  type Cursor,
  cursors,
  laneOf,
  openPools,
  type Pool,
  poolQueue,
  poolRows,
  type Turn,
  turns,
} from '#shared/scanning/pools.ts';
import type { Presence } from '#shared/scanning/presence.ts';
import { clearHint, hintOf, type WorkHint } from '#shared/scanning/queue.ts';
import { EVERYONE, type Limits, leftOf, readUsage } from '#shared/scanning/usage.ts';
import { readFit } from '#shared/scanning/waiting.ts';
import { openTable, type Table } from '#shared/table/table.ts';
import { type Found, nothing, pick, readQueue, widthOf } from './take.ts';

type Search = { types: readonly TaskType[]; hint: WorkHint | undefined; room: number; attempt: number };
export type FoundShared = Found & { limits: ReadonlyMap<string, Limits> };

/** Turns that one poll looks at: those of organizations at their limit, or whose tasks have gone, are passed over. */
const TURNS = 16;
/** How often other polls may be faster with the cursor before this one goes without. */
const OVERTAKEN = 8;

const noneOf = (table: Table, more: boolean): FoundShared => ({ ...nothing(table, more), limits: new Map() });

/**
 * The tasks of the organization whose turn it is, in one of the scanner's pools. Organizations with waiting tasks stand
 * in a ring, and a cursor says who was served last; a poll moves it on before it takes anything, so that of two polls
 * each serves another organization. So nobody waits longer than one turn of every other organization.
 */
export async function findShared(table: Table, presence: Presence, search: Search): Promise<FoundShared> {
  const lanes = hintedLanes(presence, search);
  if (lanes.length === 0 || search.room === 0) return noneOf(table, lanes.length > 0);
  // no lane is always looked at first
  const start = Math.floor(Math.random() * lanes.length);
  let more = false;
  for (const lane of [...lanes.slice(start), ...lanes.slice(0, start)]) {
    const found = await findInLane(table, presence, { ...search, ...lane });
    if (found.tasks.length > 0) return found;
    more ||= found.more;
  }
  return noneOf(table, more);
}

type Lane = { poolId: string; lane: string; seen: unknown };

function hintedLanes({ publicGroupIds = [] }: Presence, { types, hint }: Search): Lane[] {
  const lanes = publicGroupIds.flatMap((poolId) => types.map((type) => ({ poolId, lane: laneOf(poolId, type) })));
  return lanes.map((lane) => ({ ...lane, seen: hintOf(hint, lane.lane) })).filter(({ seen }) => seen !== undefined);
}

async function findInLane(table: Table, presence: Presence, search: Search & Lane): Promise<FoundShared> {
  const { poolId, lane, seen } = search;
  const shared = openPools(table.dynamo);
  const pool = await shared.rows(poolRows).find({ poolId });
  if (!pool?.enabled) return noneOf(table, false);
  const room = await roomIn(table, presence, { pool, room: search.room });
  for (let attempt = 1; room > 0 && attempt <= OVERTAKEN; attempt++) {
    const ring = await readRing(shared, lane);
    if (ring.turns.length === 0) {
      await clearHint(table, lane, seen);
      return noneOf(table, false);
    }
    const found = await goRound(table, ring, { ...search, pool, room });
    if (found) return found;
  }
  return noneOf(table, true);
}

/** Undefined when another poll moved the cursor meanwhile. */
async function goRound(table: Table, ring: Ring, serving: Omit<Serving, 'ring'>): Promise<FoundShared | undefined> {
  for (const turn of ring.turns) {
    const found = await serve(table, turn, { ...serving, ring });
    if (found === 'overtaken') return undefined;
    if (found) return found;
  }
  return noneOf(table, true);
}

/** What the pool lets this scanner take now. */
async function roomIn(table: Table, presence: Presence, { pool, room }: { pool: Pool; room: number }) {
  const { poolId, maxConcurrentTasks, dispatch } = pool;
  if (maxConcurrentTasks === null && dispatch === 'round_robin') return room;
  const running = await readUsage(table, { groupId: poolId, owner: EVERYONE }, true);
  const left = Math.min(room, leftOf(maxConcurrentTasks, running));
  if (dispatch === 'round_robin') return left;
  const online = (await readFit(table, null, poolId))['on:any'] ?? 1;
  // one that holds more than its part leaves most of what waits to the others
  return Object.keys(presence.leases).length > running / Math.max(1, online) ? Math.min(1, left) : left;
}

type Ring = { cursor: Cursor | undefined; turns: Turn[] };

/** The next turns after the one that was last, round the ring. */
async function readRing(shared: Table, lane: string): Promise<Ring> {
  const cursor = await shared.rows(cursors).find({ lane }, true);
  const last = cursor?.organizationId ?? '';
  const range = { limit: TURNS, consistent: true };
  // ids are of 0-9, a-f and dashes: ' ' sorts before and '~' behind whatever they go on with
  const later = await shared.rows(turns).query(lane, { ...range, between: { from: `${last} `, to: '~' } });
  if (later.length >= TURNS || last === '') return { cursor, turns: later };
  const earlier = await shared.rows(turns).query(lane, { ...range, between: { from: ' ', to: last } });
  return { cursor, turns: [...later, ...earlier].slice(0, TURNS) };
}

type Serving = Search & { lane: string; ring: Ring; pool: Pool; room: number };

/** Gives an organization its turn, if it has tasks that may run. */
async function serve(table: Table, turn: Turn, { lane, ring, pool, room, attempt }: Serving) {
  const { organizationId } = turn;
  const { poolId, maxConcurrentTasks: total, maxConcurrentTasksPerOrganization: perOrganization } = pool;
  const running =
    perOrganization === null ? 0 : await readUsage(table, { groupId: poolId, owner: organizationId }, true);
  const left = Math.min(room, leftOf(perOrganization, running));
  if (left === 0) return undefined;
  const shared = openPools(table.dynamo);
  const isOurs = await shared.rows(cursors).put({ lane, organizationId }, ring.cursor ?? 'absent');
  if (!isOurs) return 'overtaken' as const;
  ring.cursor = { lane, organizationId };
  const owner = openTable(table.dynamo, organizationId, table.actor);
  const rows = await readQueue(shared, poolQueue(lane, owner.scope), widthOf(left, attempt));
  if (rows.length === 0) await shared.rows(turns).remove(turn, { stamp: turn.stamp });
  const found = await pick(owner, rows, { room: left, attempt });
  if (found.tasks.length === 0) return undefined;
  return { ...found, more: true, limits: new Map([[poolId, { total, perOrganization }]]) };
}
