import { openTable, type Table } from '#shared/platform/table/table.ts';
import { accountNames } from './names.ts';
import { teams } from './team.ts';

type Named = { id: string; name: string } | null | undefined;
type Having<K extends string> = { [field in K]?: Named };

/**
 * Records keep the name that somebody had when a record was assigned; these have the names of now, by the ids. Who is gone keeps the
 * name in the record. Names are no secret of a part of the organization: who sees a record sees whose it is.
 */
export async function withPresentNames<K extends string, T extends Having<K>>(
  { dynamo, organizationId }: Table,
  field: K,
  records: readonly T[],
): Promise<T[]> {
  const ids = [...new Set(records.flatMap((record) => record[field]?.id ?? []))];
  if (ids.length === 0) return [...records];
  const whole = openTable(dynamo, organizationId);
  const [names, found] = await Promise.all([accountNames(whole, ids), whole.findMany(teams, ids)]);
  for (const { id, name } of found) names.set(id, name);
  return records.map((record) => {
    const person = record[field];
    const name = person ? names.get(person.id) : undefined;
    return person && name !== undefined && name !== person.name ? { ...record, [field]: { ...person, name } } : record;
  });
}

export async function withPresentName<K extends string, T extends Having<K>>(
  table: Table,
  field: K,
  record: T,
): Promise<T> {
  const [shown = record] = await withPresentNames(table, field, [record]);
  return shown;
}
