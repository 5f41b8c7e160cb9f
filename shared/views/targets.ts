import { ordinalOf } from '../runtime/ids.ts';
import type { Stored } from '../table/entity.ts';
import { getRows } from '../table/io/read.ts';
import { keysOf } from '../table/layout/keys.ts';
import { wholeRecordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import type { View } from './view.ts';

/** The targets that stand under these keys, whole and as they are now. */
export async function readTargets(
  table: Table,
  { target, field }: View,
  wanted: readonly string[],
): Promise<Map<string, Stored>> {
  const keys = keysOf(table.scope, target);
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
