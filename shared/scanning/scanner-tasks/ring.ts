import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { type Cursor, cursors, openPools, poolQueue, type Turn, turns } from './pools.ts';
import { type QueuedTask, readQueue } from './queue.ts';

/** Turns that one poll reads. It skips organizations at their limit, or without tasks left. */
const MAX_TURNS = 16;
/** A poll gives up after so many rounds in which another poll moved the cursor first. */
const MAX_ROUNDS = 8;

/** The waiting tasks, in all of the lanes, of the organization whose turn it is. */
export type ServedTurn = {
  owner: Table;
  rows: QueuedTask[];
  room: number;
  /** No other organization has a turn in these lanes. */
  isAlone: boolean;
  /** Ends the turns after all tasks were taken, unless more were queued since. @returns whether the turns are gone */
  leave: () => Promise<boolean>;
};

type Round<T> = {
  /** The name of the cursor. */
  ring: string;
  lanes: readonly string[];
  /** How many tasks an organization may get now. At 0 the organization keeps its turn and is skipped. */
  roomOf: (organizationId: string) => Promise<number>;
  /** How many rows of a queue are read for this many tasks. */
  widthOf: (room: number) => number;
  /** Undefined when no task can be handed out: the next organization has its turn. */
  serve: (served: ServedTurn) => Promise<T | undefined>;
};

/** `found` is the answer of `serve`; `waits`: some organization has a turn; `empty`: the lanes without any turn. */
type TurnResult<T> = { found: T | undefined; waits: boolean; empty: readonly string[] };

/**
 * Serves the organization whose turn it is. Organizations with waiting tasks form a ring, and a cursor names the last
 * one served. A poll moves the cursor before it takes a task, so two polls serve two organizations. No organization
 * waits longer than one turn of each other organization.
 */
export async function nextTurn<T>(table: Table, round: Round<T>): Promise<TurnResult<T>> {
  for (let attempt = 1; attempt <= MAX_ROUNDS; attempt++) {
    const ring = await readRing(table, round);
    const found = await goRound(table, ring, round);
    if (found !== 'overtaken') return { found, waits: ring.stops.length > 0, empty: ring.empty };
  }
  return { found: undefined, waits: true, empty: [] };
}

/** An organization with its turns: one in each lane in which its tasks wait. */
type Stop = { organizationId: string; turns: Turn[] };
type Ring = { cursor: Cursor | undefined; stops: Stop[]; empty: string[] };

/** The organizations that follow the last one in the ring. */
async function readRing({ dynamo }: Table, { ring, lanes }: Pick<Round<unknown>, 'ring' | 'lanes'>): Promise<Ring> {
  const shared = openPools(dynamo);
  const cursor = await shared.rows(cursors).find({ lane: ring }, true);
  const last = cursor?.organizationId ?? '';
  const perLane = await Promise.all(lanes.map((lane) => readTurns(shared, lane, last)));
  const byOrganization = Map.groupBy(perLane.flat(), ({ organizationId }) => organizationId);
  const stops = [...byOrganization].map(([organizationId, of]) => ({ organizationId, turns: of }));
  const positionOf = ({ organizationId }: Stop) => `${organizationId > last ? 0 : 1}${organizationId}`;
  stops.sort((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1));
  return { cursor, stops: stops.slice(0, MAX_TURNS), empty: lanes.filter((_, n) => perLane[n]?.length === 0) };
}

async function readTurns(shared: Table, lane: string, last: string): Promise<Turn[]> {
  const range = { limit: MAX_TURNS, consistent: true };
  // ids have 0-9, a-f and dashes: ' ' sorts before each of them, '~' behind
  const later = await shared.rows(turns).query(lane, { ...range, between: { from: `${last} `, to: '~' } });
  if (later.length >= MAX_TURNS || last === '') return later;
  const earlier = await shared.rows(turns).query(lane, { ...range, between: { from: ' ', to: last } });
  return [...later, ...earlier];
}

/** @returns `overtaken` when another poll moved the cursor: the ring must be read again */
async function goRound<T>(table: Table, ring: Ring, round: Round<T>): Promise<T | undefined | 'overtaken'> {
  const shared = openPools(table.dynamo);
  let { cursor } = ring;
  for (const stop of ring.stops) {
    const { organizationId } = stop;
    const room = await round.roomOf(organizationId);
    if (room === 0) continue;
    const next = { lane: round.ring, organizationId };
    if (!(await shared.rows(cursors).put(next, cursor ?? 'absent'))) return 'overtaken';
    cursor = next;
    const owner = inOrganization(table, organizationId);
    const rows = await readStop(shared, stop, { scope: owner.tenant, width: round.widthOf(room) });
    const served = { owner, rows, room, isAlone: ring.stops.length === 1, leave: () => leave(shared, stop) };
    const found = rows.length > 0 ? await round.serve(served) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const removeTurn = (shared: Table, turn: Turn): Promise<boolean> =>
  shared.rows(turns).remove(turn, { stamp: turn.stamp });

const leave = async (shared: Table, stop: Stop): Promise<boolean> =>
  (await Promise.all(stop.turns.map((turn) => removeTurn(shared, turn)))).every(Boolean);

/** Reads the queues of an organization. The turn of an empty queue is removed, unless a task was added since. */
async function readStop(shared: Table, stop: Stop, { scope, width }: { scope: string; width: number }) {
  const found = await Promise.all(
    stop.turns.map(async (turn) => {
      const rows = await readQueue(shared, poolQueue(turn.lane, scope), width);
      if (rows.length === 0) await removeTurn(shared, turn);
      return rows;
    }),
  );
  return found.flat();
}
