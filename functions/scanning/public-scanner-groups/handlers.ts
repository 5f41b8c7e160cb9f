import { pageOfArray, showEach } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { fixedLimit } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assertScanners, assertUnused, membersOf, setMembers } from '#shared/scanning/fleet/groups.ts';
import { holdingNow, poolSourceIps } from '#shared/scanning/fleet/source-ips.ts';
import { MAX_POOLS, openPools, poolRows, poolWrite, visiblePools } from '#shared/scanning/scanner-tasks/pools.ts';
import { PublicScannerGroup, publicScannerGroups } from '#shared/scanning/scanners/public-scanner-group.ts';
import { showOption } from './option.ts';
import { forgetClients, poolRemoval, usesOf } from './pool.ts';
import type { publicScannerGroupRoutes } from './routes.ts';

async function showGroup<T extends { id: string }>(table: Table, group: T) {
  const [members, ips] = await Promise.all([membersOf(table, group.id), poolSourceIps(table, group.id)]);
  return { ...group, ...members, sourceIps: holdingNow(ips) };
}

const membership = (groupId: string, wanted: readonly string[]) =>
  ({ groupId, field: 'publicGroupIds', wanted }) as const;

/** Named organizations keep the others out: without a visibility in the request, only they see the pool. */
const limitedTo = ({ organizationIds }: { organizationIds?: readonly string[] | null }) =>
  organizationIds && organizationIds.length > 0 ? ('selected' as const) : undefined;

async function createPublicGroup({ table, body }: Call<typeof publicScannerGroupRoutes.createPublicGroup>) {
  const { scannerIds, visibility = limitedTo(body) ?? 'all', ...settings } = body;
  await assertScanners(table, scannerIds, { field: 'publicGroupIds' });
  const pools = await openPools(table.dynamo).rows(poolRows).query('all');
  if (pools.length >= MAX_POOLS) throw fixedLimit('A deployment', MAX_POOLS, 'pools');
  const [id = ''] = await table.reserve(publicScannerGroups, 1);
  const batch = table.batch();
  const draft = table.stamp<PublicScannerGroup>({ ...settings, visibility, id, scannerIds: [] });
  const group = batch.create(publicScannerGroups, draft);
  batch.write(poolWrite(table, group));
  await batch.commit();
  await setMembers(table, membership(id, scannerIds));
  return showGroup(table, group);
}

async function updatePublicGroup(call: Call<typeof publicScannerGroupRoutes.updatePublicGroup>) {
  const { table, params, body, ifMatch } = call;
  const stored = await table.get(publicScannerGroups, params.id, true);
  const read = await showGroup(table, stored);
  const visibility = body.visibility ?? limitedTo(body);
  const patch = { ...body, ...(visibility && { visibility }) };
  const changes = mergePatch(PublicScannerGroup, read, { patch, ifMatch });
  if (!changes) return read;
  const { scannerIds, ...settings } = changes;
  if (scannerIds) await assertScanners(table, scannerIds, { field: 'publicGroupIds', groupId: stored.id });
  const group = await table.update(publicScannerGroups, stored, settings, (batch, group) =>
    batch.write(poolWrite(table, group)),
  );
  if (scannerIds) await setMembers(table, membership(group.id, scannerIds));
  return showGroup(table, group);
}

export const publicScannerGroupHandlers: Handlers<typeof publicScannerGroupRoutes> = {
  listPublicGroups: ({ table, query }) =>
    showEach(table.list(publicScannerGroups, query), (group) => showGroup(table, group)),
  createPublicGroup,
  listPublicGroupOptions: async ({ table, query }) =>
    showEach(pageOfArray(await visiblePools(table), query), (pool) => showOption(table, pool)),
  getPublicGroup: async ({ table, params }) => showGroup(table, await table.get(publicScannerGroups, params.id)),
  updatePublicGroup,
  async deletePublicGroup({ table, params }) {
    const group = await table.get(publicScannerGroups, params.id, true);
    assertUnused('pool', await usesOf(table, group.id));
    await setMembers(table, membership(group.id, []));
    await table.delete(publicScannerGroups, group, (batch) => batch.write(poolRemoval(group.id)));
    await forgetClients(table, group.id);
    return { id: group.id, deletedAt: now() };
  },
};
