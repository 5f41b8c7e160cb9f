import { inSeconds } from '../runtime/clock.ts';
import type { Write } from '../table/io/commit.ts';
import { putWrite, type RowKind, rowKey } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import type { Move } from './view.ts';

const KEPT_SECONDS = 400 * 86_400;

/** People's decision about a deleted record of a view, for when the record is made again. */
export type Kept<T extends object> = T & { key: string; expiresAt: string };
type KeptRows<T extends object> = RowKind<Kept<T>, { key: string }>;

/** The key and the end of such rows. */
export const KEPT = {
  key: ({ key }: { key: string }) => [key] as const,
  expiresAt: ({ expiresAt }: { expiresAt: string }) => expiresAt,
};

type Decided<T> = { key: string; decided: T | undefined };

/** Goes with the deletion of a record. Where nobody decided anything, an older decision must not return either. */
export function keptWrite<T extends object>(scope: string, rows: KeptRows<T>, { key, decided }: Decided<T>): Write {
  if (!decided) return { remove: rowKey(scope, rows, { key }) };
  return putWrite(scope, rows, { row: { ...decided, key, expiresAt: inSeconds(KEPT_SECONDS) } });
}

/** The moves that make missing records. */
export function beginning<F>(moves: readonly Move<F>[], current: readonly { key: string }[]): Move<F>[] {
  const known = new Set(current.map(({ key }) => key));
  return moves.filter(({ key, added }) => added && !known.has(key));
}

/** The kept decisions about the records of these moves, by key. */
export async function readKept<T extends object>(
  table: Table,
  rows: KeptRows<T>,
  moves: readonly Move<unknown>[],
): Promise<Map<string, Kept<T>>> {
  const keys = [...new Set(moves.map(({ key }) => key))].map((key) => ({ key }));
  const kept = await table.rows(rows).findMany(keys, true);
  return new Map(kept.map((row) => [row.key, row]));
}
