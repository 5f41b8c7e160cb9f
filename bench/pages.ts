import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { findPositions, type ListQuery } from '#shared/platform/table/list.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Meter, type Usage, worst } from './meter.ts';
import { processorMs } from './processor.ts';
import { type BenchRow, type Budget, benchRow } from './report.ts';

export const LIST: Budget = { roundTrips: 3, readUnits: 6 };
export const COMBINED: Budget = { roundTrips: 4, readUnits: 16 };
export const RARE: Budget = { roundTrips: 4, readUnits: 14 };

/** The bounds are for 100,000 records; a tenfold collection may cost eight times as much, in four round trips. */
export const budgetAt = (size: number, { roundTrips = 4, readUnits = 0 }: Budget): Budget =>
  size > 100_000 ? { roundTrips: Math.max(4, roundTrips), readUnits: 8 * readUnits } : { roundTrips, readUnits };

export type Pages = Omit<ListQuery, 'paginateFrom' | 'paginateSize'> & {
  name: string;
  budget: Budget;
  paginateSize?: number;
  known?: boolean;
};

type Bench<T extends Stored, D extends keyof T> = {
  table: Table;
  meter: Meter;
  size: string;
  entity: Entity<T, D>;
  /** Writes the records at these ordinals, where only their index exists. */
  place?: ((ordinals: readonly number[]) => Promise<void>) | undefined;
};

/** The most expensive of twelve pages between the first offset and the last; the processor time of the last one. */
export async function worstPage<T extends Stored, D extends keyof T>(
  { table, meter, size, entity, place }: Bench<T, D>,
  { name, budget, known, paginateSize = 25, ...query }: Pages,
): Promise<BenchRow> {
  const positions = (range: PageRange) => findPositions({ ...table, entity }, { ...query, ...range });
  const { total: totalCount } = await positions({ paginateFrom: 0, paginateSize: 1 });
  const read = async (paginateFrom: number) => {
    const { data } = await table.list(entity, { ...query, paginateFrom, paginateSize });
    if (data.length !== Math.min(paginateSize, totalCount)) throw new Error(`${name}: a page of ${data.length}`);
  };
  const used: Usage[] = [];
  const last = Math.max(0, totalCount - paginateSize);
  for (let n = 0; n < 12; n++) {
    const paginateFrom = Math.floor((n / 11) * last);
    await place?.((await positions({ paginateFrom, paginateSize })).ordinals);
    used.push(await meter.measure(() => read(paginateFrom)));
  }
  const time = await processorMs(() => read(last));
  return benchRow({
    operation: name,
    size,
    ...worst(used),
    records: Math.min(paginateSize, totalCount),
    processorMs: time,
    budget,
    known,
  });
}
