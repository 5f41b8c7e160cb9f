import type { Entity } from './entity.ts';
import { getRows } from './io/read.ts';
import { keysOf } from './layout/keys.ts';
import type { Table } from './table.ts';

/** The ids behind unique values, 100 a call. */
export async function idsOf(
  table: Table,
  entity: Pick<Entity, 'name' | 'shards'>,
  { field, values, consistent }: { field: string; values: readonly string[]; consistent: boolean },
): Promise<Map<string, string>> {
  const keys = keysOf(table.tenant, entity);
  const byKey = new Map(values.map((value) => [keys.unique(field, value).pk, value]));
  const rows = await getRows(
    table.dynamo,
    values.map((value) => keys.unique(field, value)),
    consistent,
  );
  return new Map(rows.map(({ pk, id }) => [byKey.get(pk) ?? '', String(id)]));
}
