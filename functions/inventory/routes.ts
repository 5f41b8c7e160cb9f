import * as z from 'zod';
import { reads } from '#shared/auth/access.ts';
import { Pagination, pageOf } from '#shared/http/pagination.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { Software } from '#shared/reports/report.ts';

export const inventoryRoutes = defineRoutes({
  listAssetSoftware: {
    method: 'GET',
    path: '/api/v1/assets/{id}/software',
    summary: 'List the software on an asset, by name',
    description:
      'Whatever its agent and the reports of scanners and build tools name, each once; `inventory` of the asset says which sources ' +
      'these are. `search` finds a part of the name, vendor or package URL, in any case. Its services are the field `services` of the asset.',
    access: reads('assets:read'),
    query: Pagination.extend({ search: z.string().trim().min(1).max(200).optional() }),
    response: pageOf(Software),
  },
});
