import * as z from 'zod';
import { VulnerabilityListItem, vulnerabilities } from '#shared/entities/vulnerability.ts';
import { counted, NOTHING_YET, Tally } from '#shared/findings/many/decision.ts';
import type { Wanted } from '#shared/findings/many/wanted.ts';
import { invalid } from '#shared/runtime/errors.ts';
import { TOO_MANY_WORDS } from '#shared/table/selected.ts';
import type { Table } from '#shared/table/table.ts';
import { decidedChanges, type StoredDecision } from '#shared/vulnerabilities/change.ts';
import { decidedOnEach } from '#shared/vulnerabilities/parts.ts';

/** An answer within a request reads no more vulnerabilities than these. */
const MAX_EXAMINED = 1000;
const MAX_SAMPLE = 20;

export const Preview = Tally.extend({
  matched: z.int().meta({ description: 'vulnerabilities that would be looked at' }),
  examined: z.int().meta({ description: `the newest ${MAX_EXAMINED} of these at most; the other counts are of them` }),
  sample: z
    .array(VulnerabilityListItem.pick({ id: true, title: true, asset: true, status: true }))
    .meta({ description: `the first ${MAX_SAMPLE} that would be changed` }),
}).meta({ id: 'VulnerabilitiesPreview' });
type Preview = z.infer<typeof Preview>;

/** Counts what a decision on many vulnerabilities would do, without making it. */
export async function previewDecision(table: Table, wanted: Wanted, decision: StoredDecision): Promise<Preview> {
  const { ids, matched } =
    'ids' in wanted ? { ids: wanted.ids, matched: wanted.ids.length } : await first(table, wanted);
  const all = await decidedOnEach(table, ids, (standing) => decidedChanges(standing, decision));
  const changed = ids.filter((_, n) => all[n]?.outcome === 'changed').slice(0, MAX_SAMPLE);
  const rows = await table.findMany(vulnerabilities, changed);
  const sample = rows.map(({ id, title, asset, status }) => ({ id, title, asset, status }));
  return { matched, examined: ids.length, ...counted(NOTHING_YET, all), sample };
}

/** @throws validation_failed for a search whose matches are not all read */
async function first(table: Table, { selection }: Extract<Wanted, { selection: unknown }>) {
  const page = { ...selection, paginateFrom: 0, paginateSize: MAX_EXAMINED };
  const { data, totalCount: matched, truncated } = await table.list(vulnerabilities, page);
  if (truncated) throw invalid('search', TOO_MANY_WORDS);
  return { ids: data.map(({ id }) => id), matched };
}
