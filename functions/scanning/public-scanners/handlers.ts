import { pageOfArray, showEach } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { blockText, parseBlock } from '#shared/platform/runtime/addresses.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { inOrganization } from '#shared/platform/table/table.ts';
import { scannerLeases } from '#shared/scanning/fleet/leases.ts';
import { scannerMachines } from '#shared/scanning/fleet/presence.ts';
import { announce, poolSourceIps } from '#shared/scanning/fleet/source-ips.ts';
import { deleteHolder } from '#shared/scanning/leases/give-back.ts';
import { listMachines, modifyMachine, showMachine } from '#shared/scanning/machines/machines.ts';
import { visiblePools } from '#shared/scanning/scanner-tasks/pools.ts';
import { publicScannerGroups } from '#shared/scanning/scanners/public-scanner-group.ts';
import { PublicScanner, type Scanner } from '#shared/scanning/scanners/scanner.ts';
import type { PublicSourceIp, publicScannerRoutes } from './routes.ts';

/** The scanner in the view of staff. Shows only addresses without an end, the form in which an operator sends them. */
function publicView({ groupIds: _own, sourceIps = [], publicGroupIds = [], ...scanner }: Scanner): PublicScanner {
  const lasting = sourceIps.filter(({ validUntil }) => validUntil === null);
  return { ...scanner, publicGroupIds, sourceIps: lasting.map(({ cidr }) => cidr) };
}

async function updatePublicScanner(call: Call<typeof publicScannerRoutes.updatePublicScanner>) {
  const { table, params, body, ifMatch } = call;
  await assertPools(table, body.publicGroupIds ?? []);
  const decide = (read: Scanner): Partial<Scanner> | undefined => {
    const changes = mergePatch(PublicScanner, publicView(read), { patch: body, ifMatch });
    if (!changes) return undefined;
    const { sourceIps, ...settings } = changes;
    if (!sourceIps) return settings;
    return { ...settings, sourceIps: announce(read.sourceIps ?? [], sourceIps.map(checkedCidr), now()) };
  };
  return publicView(await modifyMachine(scannerMachines, table, { id: params.id, decide }));
}

async function assertPools(table: Table, ids: readonly string[]): Promise<void> {
  const found = new Set((await table.findMany(publicScannerGroups, ids)).map(({ id }) => id));
  const at = ids.findIndex((id) => !found.has(id));
  if (at >= 0) throw invalid(`publicGroupIds.${at}`, 'must be the id of a pool');
}

function checkedCidr(text: string, n: number): string {
  const block = parseBlock(text);
  if (!block) throw invalid(`sourceIps.${n}`, 'must be an IP address or CIDR');
  const value = blockText(block);
  return value.includes('/') ? value : `${value}/${block.prefix}`;
}

/** The addresses of all visible pools, in the order of the pools' creation. */
async function sourceIpsFor(table: Table): Promise<PublicSourceIp[]> {
  const pools = await visiblePools(table);
  const ips = await Promise.all(
    pools.map(async ({ poolId, providerId, name, region }) => {
      const rows = await poolSourceIps(inOrganization(table, providerId), poolId);
      return rows.map((row) => ({ ...row, groupId: poolId, groupName: name, region }));
    }),
  );
  return ips.flat();
}

export const publicScannerHandlers: Handlers<typeof publicScannerRoutes> = {
  listPublicScanners: ({ table, query }) => showEach(listMachines(scannerMachines, table, query), publicView),
  listPublicSourceIps: async ({ table, query }) => pageOfArray(await sourceIpsFor(table), query),
  getPublicScanner: async ({ table, params }) => publicView(await showMachine(scannerMachines, table, params.id)),
  updatePublicScanner,
  deletePublicScanner: ({ table, params }) => deleteHolder(scannerLeases, table, params.id),
};
