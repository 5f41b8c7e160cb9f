import * as z from 'zod';
import { CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { assetFilter } from '#shared/assets/asset/filter-fields.ts';
import { ASSET_STATUSES, staleBefore } from '#shared/assets/asset/view.ts';
import { assigneeIn, Day } from '#shared/findings/finding/filter.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { teamFilterParameters, withMatching } from '#shared/platform/filter/read.ts';
import { anyOf } from '#shared/platform/http/pagination.ts';
import { Id } from '#shared/platform/http/records.ts';
import { dayBefore } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import type { ListQuery, Selection } from '#shared/platform/table/list.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import { byRisk } from './by-risk.ts';

/** Each narrows a list of assets; they combine in any way. */
export const assetFilters = {
  ...teamFilterParameters,
  type: anyOf(AssetType).optional(),
  criticality: anyOf(z.enum(CRITICALITIES)).optional(),
  zone: z.string().min(1).max(120).optional(),
  internetExposed: z.enum(['true', 'false', 'unknown']).optional(),
  ownerId: z.string().min(1).max(120).optional().meta({ description: '`me`; `none` for assets without an owner' }),
  tag: z.string().min(1).max(120).optional(),
  applicationId: Id.optional(),
  status: z.enum(ASSET_STATUSES).optional(),
  seenBefore: Day.optional().meta({
    description: 'assets that nothing has seen since this day (UTC), without retired assets',
  }),
};

export const AssetOrder = z
  .enum(['newest', 'lastSeenAt', 'riskScore'], 'must be newest, lastSeenAt or riskScore')
  .optional()
  .meta({
    description:
      '`lastSeenAt`: the assets that nothing has seen for longest come first, up to position 1,000. `riskScore`: the highest risk ' +
      'comes first, exact at any moment; a list of more than some 32,000 assets has to be narrowed by filters (`unsupported_filter`).',
  });

type AssetFilter = z.output<z.ZodObject<typeof assetFilters>> & { search?: string | undefined };
export type AssetQuery = AssetFilter & PageRange & { sort?: z.output<typeof AssetOrder> };

type Asking = { table: Table; caller: Caller };

/** The list that a caller's filters ask for. */
export async function assetQuery(
  at: Asking,
  { paginateFrom, paginateSize, ids, sort, ...filter }: AssetQuery,
): Promise<ListQuery> {
  const query = { paginateFrom, paginateSize, ids, ...(await assetSelection(at, filter)) };
  if (sort === 'riskScore') return { ...query, rank: byRisk(at.table) };
  return sort === 'lastSeenAt' ? { where: {}, between: { seen: {} }, ...query, sort: 'seen' } : query;
}

export async function assetSelection({ table, caller }: Asking, asked: AssetFilter): Promise<Selection> {
  const { matching, ...filter } = await withMatching({ table, caller }, assetFilter, asked);
  const { type, criticality, search, status, applicationId: application } = filter;
  const [zone, tag] = [filter.zone, filter.tag].map((text) => (text === undefined ? undefined : caseless(text)));
  const owner = assigneeIn(filter.ownerId, caller);
  const retired = status === 'retired' ? 'true' : undefined;
  const where = { type, criticality, zone, tag, application, owner, retired, exposed: exposedIn(filter) };
  const seen = seenIn(filter, status === 'active' || status === 'stale' ? await staleBefore(table) : undefined);
  return {
    ...(Object.values(where).some((value) => value !== undefined) && { where }),
    ...(seen && { between: { seen } }),
    ...(search !== undefined && { search }),
    ...(matching && { matching }),
  };
}

const exposedIn = ({ internetExposed: asked }: AssetFilter): string | null | undefined =>
  asked === 'unknown' ? null : asked;

type Ends = { from?: string; to?: string };

/** The days on which the assets were seen last. @throws validation_failed for an end before the beginning */
function seenIn({ status, seenBefore }: AssetFilter, stale: string | undefined): Ends | undefined {
  const from = status === 'active' ? stale : undefined;
  const ends = [seenBefore, status === 'stale' ? stale : undefined].flatMap((day) => (day ? dayBefore(day) : []));
  const to = ends.sort()[0];
  if (from && to && from > to)
    throw invalid('seenBefore', `must be later than ${from}: active assets were seen on that day or later`);
  return from || to ? { ...(from && { from }), ...(to && { to }) } : undefined;
}
