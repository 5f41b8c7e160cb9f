import { collections } from '#shared/organizations/filtered.ts';
import { readMatching } from '#shared/platform/filter/read.ts';
import { assertRuleFilter, withSaved } from '#shared/platform/filter/rule.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Event } from './event.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

type Reader = Pick<WebhookEndpoint, 'matching'>;

/**
 * A reader of the log with a copy of the saved filter that it names.
 * @param given the members that the request sends
 * @throws validation_failed for a filter that no reader of the log can have
 */
export async function withFilter<R extends Reader>(
  table: Table,
  reader: R,
  given: { matching?: Partial<NonNullable<Reader['matching']>> | null | undefined } = reader,
): Promise<R> {
  if (!reader.matching) return reader;
  const { entity } = reader.matching;
  const at = { given: given.matching ?? {}, at: 'matching.' };
  const matching = await withSaved(table, entity, { rule: reader.matching, ...at });
  if (matching.filter === undefined) throw invalid('matching.filter', 'must be a filter, unless there is a filterId');
  await assertRuleFilter(collections[entity].fields, matching.filter, 'matching.filter');
  return { ...reader, matching };
}

const IDS = 100;
const NOBODY = { id: 'nobody' };

/**
 * Which events an endpoint gets by its filter: those whose record meets it now, and those of other entities. The list of the entity answers, so that
 * no event goes out that the list would not show.
 * @throws validation_failed for a filter that no longer is one
 */
export async function matchingOf(table: Table, { matching }: Reader, events: readonly Event[]) {
  if (!matching) return () => true;
  const { entity, filter } = matching;
  const { fields, page } = collections[entity];
  if (!page) throw new Error(`records of ${entity} have no list`);
  if (filter === undefined) throw invalid('matching.filter', 'must be a filter');
  const { within } = await readMatching({ table, caller: NOBODY }, { entity, fields }, filter);
  const ids = [...new Set(events.filter(({ data }) => data.entity === entity).map(({ data }) => data.id))];
  const pages = await Promise.all(
    chunksOf(ids, IDS).map((some) =>
      page(table, { ids: some, matching: within, paginateFrom: 0, paginateSize: IDS, consistent: true }),
    ),
  );
  const found = new Set(pages.flatMap(({ data }) => data.map(({ id }) => id)));
  return ({ data }: Event): boolean => data.entity !== entity || found.has(data.id);
}
