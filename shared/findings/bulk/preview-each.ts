import * as z from 'zod';
import { WaitsFor } from '#shared/platform/jobs/task.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Entity, ListItem, Stored } from '#shared/platform/table/entity.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import { TOO_MANY_WORDS } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { counted, NOTHING_YET, Tally } from './decision.ts';
import type { Item } from './found.ts';
import type { Decided } from './slices.ts';
import type { Wanted } from './wanted.ts';

/** The most records that a request reads for its answer. */
export const MAX_EXAMINED = 1000;
export const MAX_SAMPLE = 20;

/** The answer to a `dryRun` on records of a kind; `sample` shows these fields. */
export const previewOf = <S extends z.ZodType>(records: string, sample: S) =>
  Tally.extend({
    matched: z.int().meta({ description: `${records} that the task would read` }),
    examined: z.int().meta({
      description: `at most the newest ${MAX_EXAMINED} of these; the other counts cover them`,
    }),
    sample: z.array(sample).meta({ description: `the first ${MAX_SAMPLE} that would be changed` }),
  });

/** A field of the preview of records that belong to applications. */
export const provisionalBy = {
  waitsFor: WaitsFor.optional().meta({
    description: 'a task that applies rules about assets: the counts are provisional, and the change waits for its end',
  }),
};

type Previewed<T extends Stored, D extends keyof T, S> = {
  entity: Entity<T, D>;
  decide: (items: readonly Item[]) => Promise<readonly Decided[]>;
  sampleOf: (row: ListItem<T, D>) => S;
};

/** Counts the effects of a change of many records, without changing them. */
export async function previewEach<T extends Stored, D extends keyof T, S>(
  table: Table,
  wanted: Wanted,
  { entity, decide, sampleOf }: Previewed<T, D, S>,
) {
  const { ids, matched } =
    'ids' in wanted ? { ids: wanted.ids, matched: wanted.ids.length } : await first(table, entity, wanted);
  const all = await decide(ids);
  const changed = ids.filter((_, n) => all[n]?.outcome === 'changed').slice(0, MAX_SAMPLE);
  const rows = await table.findMany<T, D>(entity, changed);
  return { matched, examined: ids.length, ...counted(NOTHING_YET, all), sample: rows.map(sampleOf) };
}

async function first<T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  { selection }: Extract<Wanted, { selection: unknown }>,
) {
  const { data, totalCount: matched } = await newestOf(table, entity, selection);
  return { ids: data.map(({ id }) => id), matched };
}

/**
 * The newest records of a selection that a preview reads. @throws validation_failed for a search that stopped before
 * its last match
 */
export async function newestOf<T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  selection: Selection,
) {
  const page = await table.list<T, D>(entity, { ...selection, paginateFrom: 0, paginateSize: MAX_EXAMINED });
  if (page.truncated) throw invalid('search', TOO_MANY_WORDS);
  return page;
}
