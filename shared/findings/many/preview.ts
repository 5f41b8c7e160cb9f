import * as z from 'zod';
import { Finding, type StoredFinding } from '../../entities/finding.ts';
import { invalid } from '../../runtime/errors.ts';
import type { Selection } from '../../table/list.ts';
import { TOO_MANY_WORDS } from '../../table/selected.ts';
import type { Table } from '../../table/table.ts';
import { collectionOf } from '../find.ts';
import type { FindingDetail, FindingRow } from '../view.ts';
import { counted, type Deciding, decided, NOTHING_YET, Tally } from './decision.ts';
import { type Found, readFound } from './found.ts';
import type { Wanted } from './wanted.ts';

/** An answer within a request reads no more findings than these. */
const MAX_EXAMINED = 1000;
const MAX_SAMPLE = 20;

export const Preview = Tally.extend({
  matched: z.int().meta({ description: 'findings that would be looked at' }),
  examined: z.int().meta({
    description: `the newest ${MAX_EXAMINED} of these at most; the other counts are of them`,
  }),
  sample: z
    .array(Finding.pick({ id: true, title: true, location: true, status: true }))
    .meta({ description: `the first ${MAX_SAMPLE} that would be changed` }),
}).meta({ id: 'FindingsPreview' });
type Preview = z.infer<typeof Preview>;

/** Counts what a change of many findings would do, without doing it. */
export async function previewMany(
  table: Table,
  wanted: Wanted,
  { decide, prepare, whole }: Deciding & { whole?: true },
): Promise<Preview> {
  const { found, matched } =
    'ids' in wanted
      ? { found: await readFound(table, wanted.ids, { whole }), matched: wanted.ids.length }
      : await first(table, wanted.selection, whole);
  await prepare?.(
    found.flatMap((one) => one?.finding ?? []),
    { from: 0, to: found.length },
  );
  const all = found.map((one) => decided(decide, one));
  const sample = all.flatMap(({ outcome, finding }) => (outcome === 'changed' && finding ? [sampleOf(finding)] : []));
  return { matched, examined: found.length, ...counted(NOTHING_YET, all), sample: sample.slice(0, MAX_SAMPLE) };
}

const sampleOf = ({ id, title, location, status }: FindingRow) => ({ id, title, location, status });

/** @throws validation_failed for a search whose matches are not all read */
async function first(table: Table, selection: Selection, whole?: true): Promise<{ found: Found[]; matched: number }> {
  const entity = await collectionOf(table, selection);
  const page = await table.list<StoredFinding, FindingDetail>(entity, {
    ...selection,
    paginateFrom: 0,
    paginateSize: MAX_EXAMINED,
  });
  if (page.truncated) throw invalid('search', TOO_MANY_WORDS);
  const rows = page.data.map((finding) => ({ id: finding.id, finding }));
  const ids = rows.map(({ id }) => id);
  return { found: whole ? await readFound(table, ids, { whole }) : rows, matched: page.totalCount };
}
