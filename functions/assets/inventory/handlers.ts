import { assets } from '#shared/assets/asset/asset.ts';
import { showProduct, showService } from '#shared/assets/inventory/aggregations.ts';
import { exposedServices, products } from '#shared/assets/inventory/product.ts';
import { readSoftware } from '#shared/assets/inventory/together.ts';
import { pageOfArray, showPage } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { where } from '#shared/platform/table/match.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Software } from '#shared/reports/report/report.ts';
import type { inventoryRoutes } from './routes.ts';

export const inventoryHandlers: Handlers<typeof inventoryRoutes> = {
  async listAssetSoftware({ connections, table, params, query }) {
    const asset = await table.get(assets, params.id);
    const all = await readSoftware(connections.bucket, table.organizationId, asset);
    return pageOfArray(query.search === undefined ? all : all.filter(isNamed(query.search)), query);
  },
  listProducts: ({ table, query }) => showPage(table.list(products, listOf(query)), (some) => some.map(showProduct)),
  listServices: ({ table, query }) =>
    showPage(
      table.list(exposedServices, { ...listOf(query), ...where({ exposed: query.exposed && 'true' }) }),
      (some) => some.map(showService),
    ),
};

type Query = PageRange & { search?: string | undefined; sort?: 'newest' | 'assets' | undefined };

const listOf = ({ paginateFrom, paginateSize, search, sort }: Query) => ({
  paginateFrom,
  paginateSize,
  ...(search !== undefined && { search }),
  ...(sort === 'assets' && { sort, between: { assets: {} } }),
});

function isNamed(search: string): (software: Software) => boolean {
  const wanted = search.toLowerCase();
  return ({ name, vendor, purl }) => [name, vendor, purl].some((text) => text?.toLowerCase().includes(wanted));
}
