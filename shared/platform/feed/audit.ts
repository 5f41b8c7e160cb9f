import { isId, ordinalOf } from '../runtime/ids.ts';
import { MAX_TRANSACTION } from '../table/io/commit.ts';
import { defineRow, putWrite } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import { follow, type Take } from './consumer.ts';
import { type Announced, KEPT_SECONDS } from './log.ts';
import { numberChanges } from './number.ts';

/**
 * A place in the log, from this number to the end of a sheet, where an actor or one of some neighbouring records
 * appears.
 */
type AuditRow = { of: string; at: string; number: number };

export const auditIndex = defineRow<AuditRow>({
  name: 'change-index',
  about: 'a sheet of the change log by its time, its actors and its records, 64 neighbours together',
  key: ({ of, at, number }) => [of, `${at}#${number}`],
  // with the sheet, which is then in the bucket
  expiresAt: ({ at }) => new Date(Date.parse(at) + KEPT_SECONDS * 1000).toISOString(),
});

const NEIGHBOURS = 64;

export const BY_TIME = 'time';
export const byActor = (id: string): string => `actor#${id}`;
export const byRecord = (entity: string, id: string): string =>
  `${entity}#${isId(id) ? Math.floor(ordinalOf(id) / NEIGHBOURS) : id}`;

const placesOf = ({ entry, change }: Announced): string[] => [
  BY_TIME,
  byActor(entry.by.id),
  ...(change ? [byRecord(change.entity, change.id)] : []),
];

/** The cursor, and a row to spare. */
const ROWS = MAX_TRANSACTION - 2;

/** One row per place and sheet; a sheet with more places than a transaction has rows is split. */
const take =
  (scope: string): Take =>
  (batch, changes) => {
    let taken = changes.length;
    const places = () => new Set(changes.slice(0, taken).flatMap(placesOf));
    while (places().size > ROWS) taken = Math.floor(taken / 2);
    const [{ number, at } = { number: 0, at: '' }] = changes;
    for (const of of places()) batch.write(putWrite(scope, auditIndex, { row: { of, at, number } }));
    return taken;
  };

/** Brings the log and its index up to date. Each minute, and before the audit log is read. */
export async function followUp(table: Table): Promise<boolean> {
  const { more } = await numberChanges(table);
  await follow(table, 'audit', take(table.tenant));
  return more;
}
