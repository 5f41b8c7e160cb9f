import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Overtaken } from '../runtime/errors.ts';
import type { Entry, FeedEvent, RecordChange } from '../table/changes.ts';
import { defineRow, putWrite } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import { putTimer } from '../timers/timers.ts';

/** Sheets are in the table for 400 days, and then in the bucket. */
export const KEPT_SECONDS = 400 * 86_400;

/** The time at which the oldest sheets of a log are moved. */
export const moveTimer = ({ organizationId }: Pick<Table, 'organizationId'>, at: number) =>
  ({ kind: 'change-log', at, organizationId, id: organizationId }) as const;

const MINUTE_MS = 60_000;
/** Clocks of writers differ by less, so that no sheet sets a timer that the sweeper has worked already. */
const CLOCKS_MS = 10_000;

/** When the views hear of changes that were numbered at this time: once for all sheets of a minute. */
const viewsTimer = ({ organizationId }: Pick<Table, 'organizationId'>, at: number) => {
  const minuteEnd = Math.ceil((at + 1) / MINUTE_MS) * MINUTE_MS;
  return { kind: 'views', at: minuteEnd + CLOCKS_MS, organizationId, id: organizationId } as const;
};

/** A row of the change log. `hash` covers the sheet and the hash before it, so that nobody can alter a single sheet. */
export type Sheet = {
  /** The number of its first change, which is its key. */
  first: number;
  count: number;
  /** When its changes were numbered. */
  at: string;
  before: string;
  hash: string;
  /** The entries as JSON, deflated. */
  z: Uint8Array;
};

export const sheets = defineRow<Sheet, Pick<Sheet, 'first'>>({
  name: 'change-sheet',
  about: 'numbered changes of an organization, deflated, with a hash over them and the sheet before',
  key: ({ first }) => ['all', padded(first)],
});

/** The end of an organization's log. Every write of a sheet is conditional on an unchanged head. */
export type Head = { next: number; last: number; hash: string };

export const heads = defineRow<Head, object>({
  name: 'change-head',
  about: 'the end of the change log: the next number and the hash of the last sheet',
  key: () => ['all'],
});

export const padded = (number: number): string => String(number).padStart(12, '0');

/** A change or an event of the log. */
export type Announced = Pick<Sheet, 'at'> & {
  number: number;
  entry: Pick<Entry, 'id' | 'at' | 'by' | 'cause'>;
  change?: RecordChange;
  event?: FeedEvent;
};

export const EMPTY_LOG: Head = { next: 1, last: 0, hash: '' };

export const readHead = async (table: Table): Promise<Head> => (await table.rows(heads).find({}, true)) ?? EMPTY_LOG;

/** Numbers these entries, in this order. @throws Overtaken when somebody else numbered meanwhile */
export async function writeSheet(table: Table, head: Head, { entries, at }: { entries: readonly Entry[]; at: string }) {
  const text = JSON.stringify(entries);
  const count = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  const of = { first: head.next, count, at, before: head.hash };
  const hash = hashOf(of, text);
  const next: Head = { next: head.next + count, last: head.next, hash };
  const fail = () => new Overtaken();
  const expect = head.last === 0 ? ('absent' as const) : { next: head.next };
  const batch = table.batch();
  batch.write(
    putWrite(table.tenant, sheets, { row: { ...of, hash, z: deflateRawSync(text) }, expect: 'absent', fail }),
    putWrite(table.tenant, heads, { row: next, expect, fail }),
  );
  batch.write(putTimer(viewsTimer(table, Date.parse(at))));
  if (head.last === 0) batch.write(putTimer(moveTimer(table, Date.parse(at) + KEPT_SECONDS * 1000)));
  await batch.commit();
  return next;
}

/** The numbers that an entry takes: one for each change, or one for the event. */
export const sizeOf = ({ changes }: Entry): number => Math.max(1, changes.length);

export const textOf = ({ z }: Sheet): string => inflateRawSync(z).toString();

export const hashOf = ({ first, count, at, before }: Omit<Sheet, 'hash' | 'z'>, text: string): string =>
  createHash('sha256')
    .update(JSON.stringify([before, first, count, at]))
    .update(text)
    .digest('base64url');

export const entriesIn = (sheet: Sheet): Entry[] => JSON.parse(textOf(sheet));

export function announcedIn(sheet: Sheet): Announced[] {
  const { first, at } = sheet;
  const announced = entriesIn(sheet).flatMap(({ changes, event, ...entry }): Omit<Announced, 'number'>[] =>
    changes.length > 0 ? changes.map((change) => ({ at, entry, change })) : [{ at, entry, event }],
  );
  return announced.map((one, n) => ({ ...one, number: first + n }));
}

/**
 * The sheets with changes of a higher number than `seen`, in order; at most `limit` of them. A reader mostly has seen a
 * sheet to its end: only another reader needs the sheet before.
 */
export async function sheetsAfter(table: Table, seen: number, limit: number): Promise<Sheet[]> {
  const rows = table.rows(sheets);
  const behind = { from: padded(seen + 1), to: END };
  const found = await rows.query('all', { between: behind, limit, consistent: true });
  if (seen <= 0 || found[0]?.first === seen + 1) return found;
  const upTo = { from: padded(0), to: padded(seen) };
  const [begun] = await rows.query('all', { between: upTo, backward: true, limit: 1, consistent: true });
  return begun && begun.first + begun.count - 1 > seen ? [begun, ...found].slice(0, limit) : found;
}

/** Behind the keys of all sheets. */
export const END = '~';
