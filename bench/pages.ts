import type { Entity, Stored } from '#shared/table/entity.ts';
import type { ListQuery } from '#shared/table/list.ts';
import type { Table } from '#shared/table/table.ts';
import { type Meter, type Usage, worst } from './meter.ts';
import { type BenchRow, type Budget, benchRow } from './report.ts';

export const LIST: Budget = { roundTrips: 3, readUnits: 6 };
export const COMBINED: Budget = { roundTrips: 4, readUnits: 16 };
export const RARE: Budget = { roundTrips: 4, readUnits: 14 };

export type Pages = Omit<ListQuery, 'paginateFrom' | 'paginateSize'> & {
  name: string;
  budget: Budget;
  paginateSize?: number;
  known?: boolean;
};

type Bench<T extends Stored, D extends keyof T> = { table: Table; meter: Meter; size: string; entity: Entity<T, D> };

/** The most expensive of twelve pages between the first offset and the last. */
export async function worstPage<T extends Stored, D extends keyof T>(
  { table, meter, size, entity }: Bench<T, D>,
  { name, budget, known, paginateSize = 25, ...query }: Pages,
): Promise<BenchRow> {
  const { totalCount } = await table.list(entity, { ...query, paginateFrom: 0, paginateSize: 1 });
  const used: Usage[] = [];
  for (let n = 0; n < 12; n++) {
    const paginateFrom = Math.floor((n / 11) * Math.max(0, totalCount - paginateSize));
    used.push(await meter.measure(() => table.list(entity, { ...query, paginateFrom, paginateSize })));
  }
  return benchRow({ operation: name, size, ...worst(used), budget, known });
}
