import * as z from 'zod';
import { findings, type StoredFinding } from '../../entities/finding.ts';
import { invalid } from '../../runtime/errors.ts';
import { type Selection, TOO_MANY_WORDS } from '../../table/list.ts';
import type { Table } from '../../table/table.ts';
import type { FindingDetail } from '../view.ts';
import { counted, type Deciding, decided, type Found, NOTHING_YET, Tally } from './decision.ts';
import type { Wanted } from './wanted.ts';

/** An answer within a request reads no more findings than these. */
const MAX_EXAMINED = 1000;

export const Preview = Tally.extend({
  matched: z.int().meta({ description: 'findings that would be looked at' }),
  examined: z.int().meta({
    description: `the newest ${MAX_EXAMINED} of these at most; the other counts are of them`,
  }),
}).meta({ id: 'FindingsPreview' });
export type Preview = z.infer<typeof Preview>;

/** Counts what a change of many findings would do, without doing it. */
export async function previewMany(table: Table, wanted: Wanted, { decide, prepare }: Deciding): Promise<Preview> {
  const { found, matched } = 'ids' in wanted ? await byIds(table, wanted.ids) : await first(table, wanted.selection);
  await prepare?.(
    found.flatMap((one) => one?.finding ?? []),
    { from: 0, to: found.length },
  );
  const tally = counted(
    NOTHING_YET,
    found.map((one) => decided(decide, one)),
  );
  return { matched, examined: found.length, ...tally };
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
