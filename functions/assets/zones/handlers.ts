import { canonicalBlocks } from '#shared/assets/targets/zones.ts';
import { MAX_ZONES, Zone, zones } from '#shared/assets/zones/zone.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { ApiError, conflict } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { zoneRoutes } from './routes.ts';

export const zoneHandlers: Handlers<typeof zoneRoutes> = {
  listZones: ({ table, query }) => table.list(zones, query),

  async createZone({ table, body }) {
    const { totalCount } = await table.list(zones, { paginateFrom: 0, paginateSize: 1 });
    if (totalCount >= MAX_ZONES) throw conflict(`There are ${MAX_ZONES} zones, which is the limit: delete one first.`);
    const cidrs = canonicalBlocks(body.cidrs);
    await assertFree(table, cidrs);
    return table.create(zones, { ...body, cidrs });
  },

  getZone: ({ table, params }) => table.get(zones, params.id),

  async updateZone({ table, params, body, ifMatch }) {
    const patch = body.cidrs ? { ...body, cidrs: canonicalBlocks(body.cidrs) } : body;
    await assertFree(table, patch.cidrs ?? [], params.id);
    return table.modify(zones, params.id, (zone) => mergePatch(Zone, zone, { patch, ifMatch }));
  },

  deleteZone: async ({ table, params }) => table.delete(zones, await table.get(zones, params.id, true)),
};

/** @throws conflict that names the block and the other zone that has it */
async function assertFree(table: Table, cidrs: readonly string[], own?: string): Promise<void> {
  const holders = await eachAtOnce(cidrs, 20, (value) => table.findUnique(zones, { field: 'cidr', value }, true));
  const taken = holders.findIndex((zone) => zone && zone.id !== own);
  if (taken < 0) return;
  const message = `${cidrs[taken]} is a block of the zone ${holders[taken]?.name}`;
  throw new ApiError('conflict', `${message}: remove it there first.`, {
    details: [{ path: `cidrs.${taken}`, message }],
  });
}
