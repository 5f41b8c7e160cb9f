import { inOrganization, type Table } from '../table/table.ts';
import { type Cursor, cursors, openPools, poolQueue, type Turn, turns } from './pools.ts';
import { type QueuedTask, readQueue } from './queue.ts';

/** Turns that one poll looks at: those of organizations at their limit, or whose tasks have gone, are passed over. */
const MAX_TURNS = 16;
/** How often other polls may be faster with the cursor before this one goes without. */
const MAX_ROUNDS = 8;

/** What waits of the organization whose turn it is, in all of the lanes. */
export type ServedTurn = {
  owner: Table;
  rows: QueuedTask[];
  room: number;
  /** No other organization has a turn in these lanes. */
  isAlone: boolean;
  /** For when all of it was taken: gives the turns up, unless more was queued since. @returns whether they are gone */
  leave: () => Promise<boolean>;
};

type Round<T> = {
  /** Names the cursor that says whose turn was last. */
  ring: string;
  lanes: readonly string[];
  /** How many tasks an organization may get now; one that may get none keeps its turn and is passed over. */
  roomOf: (organizationId: string) => Promise<number>;
  /** How far into a queue is looked for so many tasks. */
  widthOf: (room: number) => number;
  /** Undefined when nothing of it can be handed out: the next organization has its turn. */
  serve: (served: ServedTurn) => Promise<T | undefined>;
};

/** What was found; whether something waits at all; the lanes in which nobody has anything. */
type TurnResult<T> = { found: T | undefined; waits: boolean; empty: readonly string[] };

/**
 * Serves the organization whose turn it is. Organizations with waiting tasks stand in a ring, and a cursor says who was
 * served last; a poll moves it on before it takes anything, so that of two polls each serves another organization. So
 * nobody waits longer than one turn of every other organization.
 */
export async function nextTurn<T>(table: Table, round: Round<T>): Promise<TurnResult<T>> {
  for (let attempt = 1; attempt <= MAX_ROUNDS; attempt++) {
    const ring = await readRing(table, round);
    const found = await goRound(table, ring, round);
    if (found !== 'overtaken') return { found, waits: ring.stops.length > 0, empty: ring.empty };
  }
  return { found: undefined, waits: true, empty: [] };
}

/** An organization with its turns: one in each lane in which it has something. */
type Stop = { organizationId: string; turns: Turn[] };
type Ring = { cursor: Cursor | undefined; stops: Stop[]; empty: string[] };

/** The next organizations after the one that was last, round the ring. */
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
  // ids are of 0-9, a-f and dashes: ' ' sorts before and '~' behind whatever they go on with
  const later = await shared.rows(turns).query(lane, { ...range, between: { from: `${last} `, to: '~' } });
  if (later.length >= MAX_TURNS || last === '') return later;
  const earlier = await shared.rows(turns).query(lane, { ...range, between: { from: ' ', to: last } });
  return [...later, ...earlier];
}

/** Another poll moved the cursor meanwhile: the ring must be read again. */
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
    const rows = await readStop(shared, stop, { scope: owner.scope, width: round.widthOf(room) });
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

/** A turn whose queue is empty is removed, if nothing was queued since. */
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
