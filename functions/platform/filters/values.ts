import type { Collection } from '#shared/organizations/filtered.ts';
import type { Field } from '#shared/platform/filter/fields.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import { valuesIn } from '#shared/platform/table/layout/marks.ts';
import { originOf } from '#shared/platform/table/layout/record.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Records whose values are offered where a field has any values. */
const NEWEST = 500;
const MAX_VALUES = 50;

type Asked = { field: string; search?: string | undefined };

/** Values of a field with the numbers of their records, the most frequent first. @throws validation_failed */
export async function valuesOf(
  table: Table,
  { fields: ofEntity, page }: Collection,
  { field: name, search = '' }: Asked,
) {
  const fields = await ofEntity();
  const field = fields[name];
  if (!field) throw invalid('field', `must be one of ${Object.keys(fields).join(', ')}`);
  const newest = async (mark: string) => (page ? newestValues(table, page, mark) : []);
  const known = 'mark' in field ? await candidates(field, newest) : [];
  const fitting = known.filter(({ value }) => value.toLowerCase().includes(search.toLowerCase())).slice(0, MAX_VALUES);
  const counted = fitting.map(async ({ value, matching }) => {
    const found = await page?.(table, { paginateFrom: 0, paginateSize: 1, matching });
    return { value, count: found?.totalCount ?? null };
  });
  return (await Promise.all(counted)).sort((a, b) => (b.count ?? 0) - (a.count ?? 0));
}

type Candidate = { value: string; matching: Marked };
type MarkedField = Extract<Field, { mark: string }>;

async function candidates(field: MarkedField, newest: (mark: string) => Promise<string[]>): Promise<Candidate[]> {
  const { mark } = field;
  const having = (...values: (string | null)[]): Marked => ({ name: mark, values });
  if (field.kind === 'choice') {
    const { values, absent, rest } = field;
    return values.map((value) => {
      if (value === rest) return { value, matching: { not: having(...values.filter((one) => one !== rest)) } };
      return { value, matching: having(value === absent ? null : value) };
    });
  }
  if (field.kind === 'flag') return [{ value: 'true', matching: having(field.yes) }];
  return (await newest(mark)).map((value) => ({ value, matching: having(value) }));
}

/** The values that the newest records have, in the order of their frequency there. */
async function newestValues(table: Table, page: NonNullable<Collection['page']>, mark: string): Promise<string[]> {
  const { data } = await page(table, { paginateFrom: 0, paginateSize: NEWEST });
  const counts = new Map<string, number>();
  for (const record of data)
    for (const value of valuesIn(originOf(record).contribution().marks, mark))
      counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value);
}
