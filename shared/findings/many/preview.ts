import * as z from 'zod';
import { Finding, findings, type StoredFinding } from '../../entities/finding.ts';
import { invalid } from '../../runtime/errors.ts';
import { ordinalOf } from '../../runtime/ids.ts';
import type { Selection } from '../../table/list.ts';
import { TOO_MANY_WORDS, wholeRecordsAt } from '../../table/selected.ts';
import type { Table } from '../../table/table.ts';
import type { FindingDetail, FindingRow } from '../view.ts';
import { counted, type Deciding, decided, type Found, NOTHING_YET, Tally } from './decision.ts';
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
  const { found: rows, matched } =
    'ids' in wanted ? await byIds(table, wanted.ids) : await first(table, wanted.selection);
  const found = whole ? await wholeOf(table, rows) : rows;
  await prepare?.(
    found.flatMap((one) => one?.finding ?? []),
    { from: 0, to: found.length },
  );
  const all = found.map((one) => decided(decide, one));
  const sample = all.flatMap(({ outcome, finding }) => (outcome === 'changed' && finding ? [sampleOf(finding)] : []));
  return { matched, examined: found.length, ...counted(NOTHING_YET, all), sample: sample.slice(0, MAX_SAMPLE) };
}

const sampleOf = ({ id, title, location, status }: FindingRow) => ({ id, title, location, status });

async function wholeOf(table: Table, rows: readonly Found[]): Promise<Found[]> {
  const ordinals = rows.flatMap((row) => (row?.finding ? [ordinalOf(row.id)] : []));
  const whole = await wholeRecordsAt<StoredFinding, FindingDetail>(table, findings, { ordinals });
  const byId = new Map(whole.map((finding) => [finding.id, finding]));
  return rows.map((row) => row && { id: row.id, finding: byId.get(row.id) });
}

type Examined = { found: Found[]; matched: number };

async function byIds(table: Table, ids: readonly string[]): Promise<Examined> {
  const rows = await table.findMany<StoredFinding, FindingDetail>(findings, ids, true);
  const byId = new Map(rows.map((finding) => [finding.id, finding]));
  return { found: ids.map((id) => ({ id, finding: byId.get(id) })), matched: ids.length };
}

/** @throws validation_failed for a search whose matches are not all read */
async function first(table: Table, selection: Selection): Promise<Examined> {
  const page = await table.list<StoredFinding, FindingDetail>(findings, {
    ...selection,
    paginateFrom: 0,
    paginateSize: MAX_EXAMINED,
  });
  if (page.truncated) throw invalid('search', TOO_MANY_WORDS);
  return { found: page.data.map((finding) => ({ id: finding.id, finding })), matched: page.totalCount };
}
