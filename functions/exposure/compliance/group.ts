import { assetFilter } from '#shared/assets/asset/filter-fields.ts';
import type { AssetGroup } from '#shared/exposure/compliance/counted.ts';
import { groupInPart } from '#shared/exposure/compliance/part-group.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import type { Filter } from '#shared/platform/filter/filter.ts';
import { namedFilter, readMatching } from '#shared/platform/filter/read.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import type { GroupQuery } from './routes.ts';

/** The fields of assets for which counters exist. */
const COUNTED = { zone: 'zone', application: 'applicationId', type: 'assetType' } as const;

type Asking = { table: Table; caller: Caller };

/**
 * The group of assets that a query names, also by a filter: counters answer a group at the same cost for any number of
 * findings, and no other filter.
 * @throws validation_failed that names what to leave out, insufficient_scope for a group outside of the caller's part
 */
export async function groupOf(asking: Asking, { filter, filterId, ...group }: GroupQuery): Promise<AssetGroup> {
  const saved = filterId === undefined ? [] : [await namedFilter(asking, { id: filterId, entity: 'asset' })];
  const read = await Promise.all([filter ?? [], saved].flat().map((one) => readMatching(asking, assetFilter, one)));
  for (const [name, value] of read.flatMap((one) => countedIn(one.filter))) {
    if (group[name] !== undefined && caseless(group[name]) !== caseless(value)) throw invalid('filter', ONE);
    Object.assign(group, { [name]: value });
  }
  if (group.zone !== undefined && group.applicationId !== undefined)
    throw invalid('zone', 'cannot be combined with `applicationId`: send one of the two');
  return groupInPart(asking.table.part, group);
}

const ONE =
  'names two groups, of which no asset is in both, or no counter is: name one zone or application, and one type';

/** The comparisons of a filter that counters answer. */
function countedIn({ all, field = '', operator, value }: Filter): [keyof AssetGroup, string][] {
  if (all) return all.flatMap(countedIn);
  const name = Object.entries(COUNTED).find(([asked]) => asked === field.toLowerCase())?.[1];
  if (!name || (operator !== 'equals' && operator !== 'in') || [value].flat().length !== 1)
    throw invalid(
      'filter',
      `${field === '' ? 'OR and NOT' : field}: counters answer zone:, application: and type: with one value each: leave this out, ` +
        'and for other assets ask by an application with a rule on them',
    );
  const [text = ''] = [value ?? []].flat();
  return [[name, name === 'assetType' ? AssetType.parse(text.toLowerCase()) : text]];
}
