import { withAssets } from '#shared/exposure/asset-rules/people-and-applications.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Entity, ListItem, Stored } from '#shared/platform/table/entity.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { ordinalsOf, recordsAt, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Counting, matchingOf } from './counting.ts';

/** Records that are read at once, so that a table of any length takes little memory. */
const AT_ONCE = 100;

/** All selected records, newest first. */
export async function* each<T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  selection: Selection = {},
): AsyncGenerator<ListItem<T, D>[]> {
  for (const some of chunksOf(await ordinalsOf(table, entity, selection), AT_ONCE)) {
    const found = await recordsAt(table, entity, some);
    yield found.toSorted((a, b) => ordinalOf(b.id) - ordinalOf(a.id));
  }
}

/** All findings of the report that fit a filter, with their long texts, and the owner, tags and applications of their assets. */
export async function* eachFinding(counting: Counting, filter: string) {
  const matching = await matchingOf(counting, 'finding', `${counting.findings} ${filter}`.trim());
  const { table } = counting;
  for (const ordinals of chunksOf(await ordinalsOf(table, findings, { matching }), AT_ONCE))
    yield* await withAssets(table, await wholeRecordsAt(table, findings, { ordinals, consistent: true }));
}
