import { ordinalOf } from '../runtime/ids.ts';
import type { Entity, Stored } from '../table/entity.ts';
import { getRows } from '../table/io/read.ts';
import { keysOf } from '../table/layout/keys.ts';
import { wholeRecordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';

/** The current targets with these keys, with all fields. */
export async function readTargets<T extends Stored, D extends keyof T>(
  table: Table,
  { target, field }: { target: Entity<T, D>; field: string },
  wanted: readonly string[],
): Promise<Map<string, T>> {
  const keys = keysOf(table.tenant, target);
  const places = new Map(wanted.map((key) => [keys.unique(field, key).pk, key]));
  const rows = await getRows(
    table.dynamo,
    [...places.values()].map((key) => keys.unique(field, key)),
    true,
  );
  const ordinals = rows.map(({ id }) => ordinalOf(String(id)));
  const records = await wholeRecordsAt(table, target, { ordinals, consistent: true });
  const byId = new Map(records.map((record) => [record.id, record]));
  return new Map(
    rows.flatMap(({ pk, id }) => {
      const [key, record] = [places.get(pk), byId.get(String(id))];
      return key !== undefined && record ? [[key, record] as const] : [];
    }),
  );
}
