import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';

const ASKED_AT_ONCE = 100;

type Place = { table: Table; connections: Pick<Connections, 'bucket'> };

type Asked = {
  /** The object of the bucket that lists the advisories that moved in a feed. */
  file: string;
  /** The index value by which records name advisories. */
  name: 'cve' | 'advisory';
};

/** The ordinals of the records that may name one of these advisories, newest first. */
export async function movedOrdinals<T extends Stored, D extends keyof T>(
  { table, connections }: Place,
  entity: Entity<T, D>,
  { file, name }: Asked,
): Promise<number[]> {
  const bytes = await connections.bucket.get(file);
  if (!bytes) throw new Error(`the list ${file} of vulnerabilities that moved is gone`);
  const moved: string[] = JSON.parse(Buffer.from(bytes).toString());
  const { totalCount } = await table.list(entity, { paginateFrom: 0, paginateSize: 1 });
  const found = new Set<number>();
  for (const selection of selectionsOf(moved, totalCount, name))
    for (const ordinal of await ordinalsOf(table, entity, selection)) found.add(ordinal);
  return [...found].sort((a, b) => b - a);
}

/**
 * A query for each advisory costs as much as reading a record: with fewer records than advisories, this reads all
 * records.
 */
const selectionsOf = (moved: readonly string[], records: number, name: Asked['name']): Selection[] =>
  moved.length >= records ? [{}] : chunksOf(moved, ASKED_AT_ONCE).map((some) => ({ where: { [name]: some } }));
