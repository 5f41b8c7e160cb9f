import { nowMs } from '../runtime/clock.ts';
import { Overtaken } from '../runtime/errors.ts';
import { shortId } from '../runtime/ids.ts';
import type { Batch } from '../table/batch.ts';
import type { Expression, Write } from '../table/io/commit.ts';
import { defineRow, rowKey } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import { readLimits } from './limits.ts';
import { limitExceeded, type OrganizationLimits, type PlaceKind, QUOTAS, type Quota, quotaNames } from './quotas.ts';

/**
 * The places of one kind that an organization holds. For each holder, by its short id, the row has the amount (`n<id>`)
 * and the time in milliseconds at which the place lapses (`u<id>`). `places` and `amount` are the sums of everything
 * ever taken: a taker who read a row with room for ten more fails only after more than ten were taken since. So no
 * limit is exceeded, and takers conflict only near a limit. Giving up removes attributes, which is harmless to repeat
 * and needs no condition.
 */
type PlaceRow = Record<string, number>;
type PlaceKey = { kind: PlaceKind };

export const placeRows = defineRow<PlaceRow, PlaceKey>({
  name: 'places',
  about: 'who holds how much of a quota, and until when: uploads, link tokens, imports, tasks that are being made ...',
  key: ({ kind }) => [kind],
});

/** Something that holds places until it ends, or until a time (null: none). The id is a UUID. */
export type Place = { kind: PlaceKind; id: string; amount?: number; until: string | null };

type Held = { id: string; amount: number; until: number };

const heldIn = (row: PlaceRow): Held[] =>
  Object.entries(row).flatMap(([name, amount]) => {
    const id = name.slice(1);
    return name.startsWith('n') ? [{ id, amount, until: row[`u${id}`] ?? Number.POSITIVE_INFINITY }] : [];
  });

const names = (id: string) => [`n${id}`, `u${id}`] as const;

/** Entities whose records count themselves, besides the places of records that are still to be made; by their names. */
const COUNTED: Partial<Record<PlaceKind, readonly string[]>> = { tasks: ['scan-task', 'apex-task'] };

/** A task that runs may wait again, so it counts until it ends. Then no lease that is lost can pass the limit. */
async function countRecords(table: Table, kind: PlaceKind): Promise<number> {
  const counted = (COUNTED[kind] ?? []).map((name) => table.facets({ name, shards: 1, together: false }, true));
  const facets = await Promise.all(counted);
  return facets.reduce(
    (sum, { 'status:pending': waiting = 0, 'status:running': running = 0 }) => sum + waiting + running,
    0,
  );
}

async function readPlaces(table: Table, kind: PlaceKind) {
  const { places = 0, amount = 0, ...row } = (await table.rows(placeRows).find({ kind }, true)) ?? {};
  // after the places: a task that is made in between counts twice, and never not at all
  const records = await countRecords(table, kind);
  const time = nowMs();
  const { held = [], lapsed = [] } = Object.groupBy(heldIn(row), (one) =>
    one.amount > 0 && one.until > time ? 'held' : 'lapsed',
  );
  return { taken: { places, amount }, held, lapsed, records };
}

type Current = Awaited<ReturnType<typeof readPlaces>>;
type Measure = 'places' | 'amount';

const useOf = ({ held, records }: Pick<Current, 'held' | 'records'>, by: Measure): number =>
  by === 'places' ? held.length : held.reduce((sum, { amount }) => sum + amount, records);

/** The time at which so much has lapsed that the rest fits; undefined where that depends on others. */
function freeAt({ held }: Current, by: Measure, tooMany: number): string | undefined {
  let left = tooMany;
  for (const { amount, until } of held.toSorted((a, b) => a.until - b.until)) {
    left -= by === 'places' ? 1 : amount;
    if (left <= 0) return until === Number.POSITIVE_INFINITY ? undefined : new Date(until).toISOString();
  }
  return undefined;
}

type Wanted = { kind: PlaceKind; amount: number };
/** The highest former amount of each limited measure with which the wanted amount still fits. */
type Most = Partial<Record<Measure, number>>;

/** @throws limit_exceeded */
function mostTaken(limits: OrganizationLimits, current: Current, { kind, amount }: Wanted): Most {
  const most: Most = {};
  for (const name of quotaNames) {
    const { kept }: Quota = QUOTAS[name];
    if (typeof kept === 'string' || kept.kind !== kind) continue;
    const { by } = kept;
    const [limit, used, wanted] = [limits[name], useOf(current, by), by === 'places' ? 1 : amount];
    const room = limit - used - wanted;
    if (room < 0) throw limitExceeded(name, { limit, used, wanted, until: freeAt(current, by, -room) });
    most[by] = current.taken[by] + room;
  }
  return most;
}

function whileAtMost(most: Most): Expression {
  const entries = Object.entries(most);
  const tests = entries.map((_, n) => `(attribute_not_exists(#m${n}) OR #m${n} <= :m${n})`);
  return {
    ConditionExpression: tests.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(entries.map(([by], n) => [`#m${n}`, by])),
    ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], n) => [`:m${n}`, value])),
  };
}

/** The next taker removes a lapsed place; one expression removes at most this many. */
const MAX_REMOVED = 100;

/**
 * Takes places in the transaction of what holds them, unless it holds so many already. Do it within `retry`: another taker
 * may be faster.
 * @throws limit_exceeded
 */
export const takePlace = (table: Table, batch: Batch, { amount = 1, ...place }: Place): Promise<void> =>
  take(table, batch, { ...place, amount });

/** The same for records that count themselves from the transaction on that creates them. @throws limit_exceeded */
export const admitRecords = (table: Table, batch: Batch, wanted: Wanted): Promise<void> => take(table, batch, wanted);

async function take(table: Table, batch: Batch, wanted: Wanted & Partial<Pick<Place, 'id' | 'until'>>): Promise<void> {
  const { kind, amount, until } = wanted;
  const id = wanted.id === undefined ? undefined : shortId(wanted.id);
  const [current, limits] = await Promise.all([readPlaces(table, kind), readLimits(table)]);
  const others = current.held.filter((one) => one.id !== id);
  if (current.held.some((one) => one.id === id && one.amount >= amount)) return;
  const most = mostTaken(limits, { ...current, held: others }, wanted);
  const removed = current.lapsed.slice(0, MAX_REMOVED).flatMap((one) => names(one.id));
  const [n, u] = names(id ?? '');
  const held = id === undefined ? {} : { [n]: amount, [u]: until ? Date.parse(until) : undefined };
  batch.write({
    change: rowKey(table.tenant, placeRows, { kind }),
    set: { ...Object.fromEntries(removed.map((name) => [name, undefined])), ...held },
    add: { places: 1, amount },
    condition: whileAtMost(most),
    fail: () => new Overtaken(),
  });
}

/** Whether another holder has places of the kind. Not consistent: it may miss a place that was just taken. */
export async function othersHold(table: Table, { kind, id }: Pick<Place, 'kind' | 'id'>): Promise<boolean> {
  const row = (await table.rows(placeRows).find({ kind })) ?? {};
  return heldIn(row).some((one) => one.id !== shortId(id) && one.until > nowMs());
}

/** Gives the places up, in the transaction that ends their holder. Harmless to repeat. */
export const givePlace = (scope: string, kind: PlaceKind, id: string): Write => ({
  change: rowKey(scope, placeRows, { kind }),
  set: Object.fromEntries(names(shortId(id)).map((name) => [name, undefined])),
});

/** The same without a transaction, for a holder that ends without one or never began. */
export async function giveUpPlace(table: Table, kind: PlaceKind, id: string): Promise<void> {
  await table.write(givePlace(table.tenant, kind, id));
}

/** Exchanges places for records that count themselves, in the transaction that creates the records. */
export const usePlaces = (
  scope: string,
  { kind, id, amount }: Pick<Required<Place>, 'kind' | 'id' | 'amount'>,
): Write => ({
  change: rowKey(scope, placeRows, { kind }),
  add: { [names(shortId(id))[0]]: -amount },
});

/** The use of every quota that is kept in the table, in one round trip. */
export async function readUse(table: Table): Promise<Map<string, number>> {
  const kinds = [...new Set(quotaNames.flatMap((name) => kindOf(QUOTAS[name]) ?? []))];
  const read = new Map(await Promise.all(kinds.map(async (kind) => [kind, await readPlaces(table, kind)] as const)));
  const uses = quotaNames.flatMap((name): [string, number][] => {
    const { kept }: Quota = QUOTAS[name];
    const current = typeof kept === 'string' ? undefined : read.get(kept.kind);
    return typeof kept === 'string' || !current ? [] : [[name, useOf(current, kept.by)]];
  });
  return new Map(uses);
}

const kindOf = ({ kept }: Quota): PlaceKind | undefined => (typeof kept === 'string' ? undefined : kept.kind);
