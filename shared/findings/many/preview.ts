import * as z from 'zod';
import { branchFindings } from '../../entities/branch-finding.ts';
import { Finding, findings, type StoredFinding } from '../../entities/finding.ts';
import { invalid } from '../../runtime/errors.ts';
import { ordinalOf } from '../../runtime/ids.ts';
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

/** `everywhere`: findings of all branches too, unlike a filter without `ref`. */
type Previewed = Deciding & { whole?: true; everywhere?: true };

/** Counts what a change of many findings would do, without doing it. */
export async function previewMany(
  table: Table,
  wanted: Wanted,
  { decide, prepare, whole, everywhere }: Previewed,
): Promise<Preview> {
  const { found, matched } =
    'ids' in wanted
      ? { found: await readFound(table, wanted.ids, { whole }), matched: wanted.ids.length }
      : await first(table, wanted.selection, { whole, everywhere });
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
async function first(
  table: Table,
  selection: Selection,
  { whole, everywhere }: Pick<Previewed, 'whole' | 'everywhere'>,
) {
  const entities = everywhere ? [findings, branchFindings] : [await collectionOf(table, selection)];
  const page = { ...selection, paginateFrom: 0, paginateSize: MAX_EXAMINED };
  const pages = await Promise.all(entities.map((entity) => table.list<StoredFinding, FindingDetail>(entity, page)));
  if (pages.some(({ truncated }) => truncated)) throw invalid('search', TOO_MANY_WORDS);
  const newest = pages.flatMap(({ data }) => data).sort((a, b) => ordinalOf(b.id) - ordinalOf(a.id));
  const rows: Found[] = newest.slice(0, MAX_EXAMINED).map((finding) => ({ id: finding.id, finding }));
  const ids = rows.flatMap((row) => row?.id ?? []);
  const matched = pages.reduce((sum, { totalCount }) => sum + totalCount, 0);
  return { found: whole ? await readFound(table, ids, { whole }) : rows, matched };
}
