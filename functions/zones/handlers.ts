import { MAX_ZONES, Zone, zones } from '#shared/entities/zone.ts';
import { mergePatch } from '#shared/http/records.ts';
import type { Handlers } from '#shared/http/route.ts';
import { conflict } from '#shared/runtime/errors.ts';
import { canonicalBlocks } from '#shared/targets/zones.ts';
import type { zoneRoutes } from './routes.ts';

export const zoneHandlers: Handlers<typeof zoneRoutes> = {
  listZones: ({ table, query }) => table.list(zones, query),

  async createZone({ table, body }) {
    const { totalCount } = await table.list(zones, { paginateFrom: 0, paginateSize: 1 });
    if (totalCount >= MAX_ZONES) throw conflict(`There are ${MAX_ZONES} zones, which is the limit: delete one first.`);
    return table.create(zones, { ...body, cidrs: canonicalBlocks(body.cidrs) });
  },

  getZone: ({ table, params }) => table.get(zones, params.id),

  updateZone: ({ table, params, body, ifMatch }) =>
    table.modify(zones, params.id, (zone) => {
      const patch = body.cidrs ? { ...body, cidrs: canonicalBlocks(body.cidrs) } : body;
      return mergePatch(Zone, zone, { patch, ifMatch });
    }),

  deleteZone: async ({ table, params }) => table.delete(zones, await table.get(zones, params.id, true)),
};
