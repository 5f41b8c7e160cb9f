import { collections } from '#shared/organizations/filtered.ts';
import { readMatching } from '#shared/platform/filter/read.ts';
import { assertRuleFilter } from '#shared/platform/filter/rule.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Event } from './event.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** @throws validation_failed for a filter that no reader of the log can have */
export async function assertMatching({ matching }: Pick<WebhookEndpoint, 'matching'>): Promise<void> {
  if (matching) await assertRuleFilter(collections[matching.entity].fields, matching.filter, 'matching.filter');
}

const IDS = 100;
const NOBODY = { id: 'nobody' };

/**
 * Which events an endpoint gets by its filter: those whose record meets it now, and those of other entities. The list of the entity answers, so that
 * no event goes out that the list would not show.
 * @throws validation_failed for a filter that no longer is one
 */
export async function matchingOf(
  table: Table,
  { matching }: Pick<WebhookEndpoint, 'matching'>,
  events: readonly Event[],
) {
  if (!matching) return () => true;
  const { entity, filter } = matching;
  const { fields, page } = collections[entity];
  if (!page) throw new Error(`records of ${entity} have no list`);
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
