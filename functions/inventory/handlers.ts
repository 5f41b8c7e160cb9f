import { assets } from '#shared/entities/asset.ts';
import { pageOfArray } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { readSoftware } from '#shared/inventory/together.ts';
import type { Software } from '#shared/reports/report.ts';
import type { inventoryRoutes } from './routes.ts';

export const inventoryHandlers: Handlers<typeof inventoryRoutes> = {
  async listAssetSoftware({ connections, table, params, query }) {
    const asset = await table.get(assets, params.id);
    const all = await readSoftware(connections.bucket, table.organizationId, asset);
    return pageOfArray(query.search === undefined ? all : all.filter(isNamed(query.search)), query);
  },
};

function isNamed(search: string): (software: Software) => boolean {
  const wanted = search.toLowerCase();
  return ({ name, vendor, purl }) => [name, vendor, purl].some((text) => text?.toLowerCase().includes(wanted));
}
