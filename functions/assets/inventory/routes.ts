import * as z from 'zod';
import { ProductAggregation, ServiceAggregation } from '#shared/assets/inventory/aggregations.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { onlyTrue, Pagination, pageOf, searchPageOf } from '#shared/platform/http/pagination.ts';
import { defineRoutes, get } from '#shared/platform/http/route.ts';
import { Software } from '#shared/reports/report/report.ts';

const Search = z.string().trim().min(1).max(200).optional();

const Order = z.enum(['newest', 'assets'], 'must be newest or assets').optional().meta({
  description: '`assets`: the most widespread first (large numbers in steps of an eighth), up to position 1,000',
});

export const inventoryRoutes = defineRoutes({
  listAssetSoftware: get('/api/v1/assets/{id}/software', {
    summary: 'List the software on an asset, by name',
    description:
      'Lists the software that the agent of the asset and the reports of scanners and build tools name, each entry once; ' +
      '`inventory` of the asset names these sources. `search` finds a part of the name, vendor or package URL; letter case does ' +
      'not matter. The services are in the field `services` of the asset.',
    access: reads('assets:read'),
    inPart: 'seen',
    query: Pagination.extend({ search: Search }),
    response: pageOf(Software),
  }),
  listProducts: get('/api/v1/products', {
    operation: 'HandleProducts',
    summary: 'List products with the assets that have them and their open findings',
    description:
      'Products come from services, from programs on hosts (software without a package URL), and from the components that open ' +
      'findings name. Each version is a separate product. The list is up to a minute behind the assets and findings. `search` ' +
      'finds the beginnings of words of product, vendor and version.',
    access: reads('assets:read'),
    query: Pagination.extend({ search: Search, sort: Order }),
    response: searchPageOf(ProductAggregation),
  }),
  listServices: get('/api/v1/services', {
    operation: 'HandleServices',
    summary: 'List services by port, with the number of assets on which they answer',
    description:
      '`exposedAssets` counts the assets with `internetExposed`. The list is up to a minute behind the assets. `search` finds ' +
      'services by name, port and protocol.',
    access: reads('assets:read'),
    query: Pagination.extend({
      search: Search,
      sort: Order,
      exposed: onlyTrue.meta({ description: 'services on an asset with `internetExposed`' }),
    }),
    response: searchPageOf(ServiceAggregation),
  }),
});
