import type * as z from 'zod';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { branchFindings } from '../branches/branch-finding.ts';
import { Finding, findings, type StoredFinding } from '../finding/finding.ts';
import { collectionOf } from '../view/find.ts';
import type { FindingDetail, FindingRow } from '../view/view.ts';
import { counted, type Deciding, decided, NOTHING_YET } from './decision.ts';
import { type Found, readFound } from './found.ts';
import { MAX_EXAMINED, MAX_SAMPLE, newestOf, previewOf, provisionalBy } from './preview-each.ts';
import type { Wanted } from './wanted.ts';

export const Preview = previewOf('findings', Finding.pick({ id: true, title: true, location: true, status: true }))
  .extend(provisionalBy)
  .meta({ id: 'FindingsPreview' });
type Preview = z.infer<typeof Preview>;

/** `everywhere`: findings of all branches too, unlike a filter without `ref`. */
type Previewed = Deciding & { whole?: true; everywhere?: true };

/** Counts the effects of a change of many findings, without changing them. */
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

async function first(
  table: Table,
  selection: Selection,
  { whole, everywhere }: Pick<Previewed, 'whole' | 'everywhere'>,
) {
  const entities = everywhere ? [findings, branchFindings] : [await collectionOf(table, selection)];
  const pages = await Promise.all(
    entities.map((entity) => newestOf<StoredFinding, FindingDetail>(table, entity, selection)),
  );
  const newest = pages.flatMap(({ data }) => data).sort((a, b) => ordinalOf(b.id) - ordinalOf(a.id));
  const rows: Found[] = newest.slice(0, MAX_EXAMINED).map((finding) => ({ id: finding.id, finding }));
  const ids = rows.flatMap((row) => row?.id ?? []);
  const matched = pages.reduce((sum, { totalCount }) => sum + totalCount, 0);
  return { found: whole ? await readFound(table, ids, { whole }) : rows, matched };
}
