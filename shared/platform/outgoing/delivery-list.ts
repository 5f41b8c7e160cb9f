import * as z from 'zod';
import { filterParameters } from '../filter/read.ts';
import { backwardQuery, readBackward } from '../http/backward.ts';
import { anyOf } from '../http/pagination.ts';
import { Id, Timestamp } from '../http/records.ts';
import { DAY_MS, now, nowMs } from '../runtime/clock.ts';
import type { Marked } from '../table/combined.ts';
import { hasMarks } from '../table/match.ts';
import type { Table } from '../table/table.ts';
import {
  CHANNELS,
  type DeliveryRow,
  deliveryPlaces,
  failedList,
  KEPT_DAYS,
  placeOf,
  type SentDelivery,
  STATES,
  sentDeliveries,
} from './delivery.ts';
import { marksOfDelivery } from './delivery-filter.ts';

/** The form of `next` in the answers of lists of places. */
export const DELIVERY_PLACE = /^[\w.:-]{1,250}$/;

export const SentDeliveriesQuery = backwardQuery(DELIVERY_PLACE).extend({
  status: anyOf(z.enum(STATES))
    .optional()
    .meta({ description: 'in one of these states', example: ['failed', 'dead'] }),
  channel: anyOf(z.enum(CHANNELS)).optional().meta({ description: 'by one of these channels' }),
  targetId: Id.optional().meta({
    description: 'to this webhook endpoint, subscription, connection to Jira or integration with a code host',
  }),
  type: anyOf(
    z.string().regex(/^[a-z_]{1,60}\.(?:[a-z_]{1,60}|\*)$/, 'must be a type such as finding.created or finding.*'),
  )
    .optional()
    .meta({
      description: 'of one of these types: `finding.created`, `finding.*`, `notification.message`, `jira.comment`',
    }),
  since: Timestamp.optional().meta({ description: 'made at this time or later' }),
  until: Timestamp.optional().meta({ description: 'made before this time' }),
  ...filterParameters,
});
type Query = Omit<z.infer<typeof SentDeliveriesQuery>, keyof typeof filterParameters> & {
  /** The condition of its filter, which is tried on each delivery. */
  matching?: Marked;
};

/** A request reads so many rows at most, however few of them are asked for. */
const LOOKED_AT = 500;
const AT_ONCE = 50;

/** A list of deliveries, from its newest backward. */
type Listed = {
  read: (range: { before?: string | undefined; limit: number }) => Promise<{ data: Entry[]; next: string | null }>;
};
type Entry = { place: string; row: DeliveryRow | undefined };

/** The deliveries that are asked for, newest first. A page may have fewer than `limit` before the last one. */
export async function listDeliveries(table: Table, query: Query) {
  const data: DeliveryRow[] = [];
  let looked = 0;
  let { before } = query;
  for (const { read } of listsOf(table, query)) {
    for (let at: string | null | undefined = before; at !== null; ) {
      const page = await read({ before: at, limit: AT_ONCE });
      for (const { place, row } of page.data) {
        looked += 1;
        if (row && fits(row, query)) data.push(row);
        if (data.length === query.limit || looked === LOOKED_AT) return { data, next: place };
      }
      at = page.next;
    }
    before = undefined;
  }
  return { data, next: null };
}

/** The deliveries in the list of a record, newest first. A page may be short. */
export async function listOfRecord(
  table: Table,
  subject: string,
  range: { before?: string | undefined; limit: number },
) {
  const { data, next } = await ofPlaces(table, subject, undefined).read(range);
  return { data: data.flatMap(({ row }) => row ?? []), next };
}

/** The deliveries to a target that failed since a time or from a place, oldest first. */
export async function* failedSince(
  table: Table,
  { targetId, since }: { targetId: string; since: string },
): AsyncGenerator<DeliveryRow> {
  const places = table.rows(deliveryPlaces);
  for (let from: string | undefined = since; from !== undefined; ) {
    const between = { from, to: LAST };
    const read = await places.query(failedList(targetId), { between, limit: AT_ONCE, consistent: true });
    const found = await table.rows(sentDeliveries).findMany(read, true);
    const there = new Set(read.map(placeOf));
    const failed = found.filter((row) => FAILURES.includes(row.status) && there.has(placeOf(row)));
    yield* failed.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const last = read.at(-1);
    from = last && `${placeOf(last)}${FIRST}`;
  }
}

/** Before all places that begin with another place. */
const FIRST = '!';
/** Behind the places of all deliveries. */
const LAST = '~';

/** The lists that have the answer, newest first: of the target, of those that failed, or of days. */
function listsOf(table: Table, { targetId, status, before, since, until }: Query): Listed[] {
  const isOfFailures = status?.every((one) => FAILURES.includes(one)) ?? false;
  if (targetId !== undefined && !isOfFailures) return [ofTarget(table, targetId)];
  const latest = [before, until].filter((one) => one !== undefined).toSorted()[0];
  const within = (list: string): Listed => ofPlaces(table, list, latest);
  if (isOfFailures) return [within(failedList(targetId))];
  const [first, last] = [dayOf(latest ?? now()), since === undefined ? '' : dayOf(since)];
  return Array.from({ length: KEPT_DAYS }, (_, n) => new Date(nowMs() - n * DAY_MS).toISOString().slice(0, 10))
    .filter((day) => day <= first && day >= last)
    .map(within);
}

const FAILURES: readonly SentDelivery['status'][] = ['failed', 'dead'];
const dayOf = (time: string): string => time.slice(0, 10);

const ofTarget = (table: Table, targetId: string): Listed => ({
  async read(range) {
    const rows = table.rows(sentDeliveries);
    const { data, next } = await readBackward(
      (asked) => rows.query(targetId, asked),
      range,
      ({ id }) => id,
    );
    return { data: data.map((row) => ({ place: row.id, row })), next };
  },
});

const ofPlaces = (table: Table, list: string, latest: string | undefined): Listed => ({
  async read({ before = latest, limit }) {
    const rows = table.rows(deliveryPlaces);
    const { data, next } = await readBackward((asked) => rows.query(list, asked), { before, limit }, placeOf);
    const found = await table.rows(sentDeliveries).findMany(data);
    const byPlace = new Map(found.map((row) => [placeOf(row), row]));
    return { data: data.map((one) => ({ place: placeOf(one), row: byPlace.get(placeOf(one)) })), next };
  },
});

const fits = (row: DeliveryRow, { status, channel, targetId, type, since, until, matching }: Query): boolean =>
  (status?.includes(row.status) ?? true) &&
  (channel?.includes(row.channel) ?? true) &&
  (targetId === undefined || row.targetId === targetId) &&
  (type?.some((one) => one === row.type || (one.endsWith('*') && row.type.startsWith(one.slice(0, -1)))) ?? true) &&
  (since === undefined || row.createdAt >= since) &&
  (until === undefined || row.createdAt < until) &&
  (!matching || hasMarks(matching, marksOfDelivery(row)));

/** A delivery as it is answered, without what was sent. */
export const shown = ({ payload: _payload, work: _work, ...delivery }: DeliveryRow): SentDelivery => delivery;

/** The same with what was sent. */
export const shownWhole = (row: DeliveryRow) => ({
  ...shown(row),
  payload: row.payload === null ? null : JSON.parse(row.payload),
});
