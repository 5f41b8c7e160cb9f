import { showEach } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { fixedLimit } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { tasksOf, unusedChecks } from '#shared/scanning/fleet/group-counts.ts';
import { assertScanners, assertUnused, membersOf, setMembers } from '#shared/scanning/fleet/groups.ts';
import { MAX_GROUPS } from '#shared/scanning/scanner-tasks/placement.ts';
import { ScannerGroup, scannerGroups } from '#shared/scanning/scanners/scanner-group.ts';
import type { scannerGroupRoutes } from './routes.ts';
import { checkRouting } from './rules.ts';
import { usesOf } from './uses.ts';

async function showGroup(table: Table, group: ScannerGroup): Promise<ScannerGroup> {
  const [members, tasks] = await Promise.all([membersOf(table, group.id), tasksOf(table, group.id)]);
  return { ...group, ...members, tasks };
}

async function createGroup({ table, body }: Call<typeof scannerGroupRoutes.createGroup>): Promise<ScannerGroup> {
  const { scannerIds, ...settings } = body;
  const routing = checkRouting(body.routing);
  await assertScanners(table, scannerIds, { field: 'groupIds' });
  const { totalCount } = await table.list(scannerGroups, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_GROUPS) throw fixedLimit('An organization', MAX_GROUPS, 'scanner groups');
  const group = await table.create(scannerGroups, { ...settings, routing, scannerIds: [] });
  await setMembers(table, { groupId: group.id, field: 'groupIds', wanted: scannerIds });
  return showGroup(table, group);
}

async function updateGroup({ table, params, body, ifMatch }: Call<typeof scannerGroupRoutes.updateGroup>) {
  const stored = await table.get(scannerGroups, params.id, true);
  const read = await showGroup(table, stored);
  const changes = mergePatch(ScannerGroup, read, { patch: body, ifMatch });
  if (!changes) return read;
  const { scannerIds, ...settings } = changes;
  if (scannerIds) await assertScanners(table, scannerIds, { field: 'groupIds', groupId: stored.id });
  const routing = settings.routing && { routing: checkRouting(settings.routing) };
  const group = await table.update(scannerGroups, stored, { ...settings, ...routing });
  if (scannerIds) await setMembers(table, { groupId: group.id, field: 'groupIds', wanted: scannerIds });
  return showGroup(table, group);
}

export const scannerGroupHandlers: Handlers<typeof scannerGroupRoutes> = {
  listGroups: ({ table, query }) => showEach(table.list(scannerGroups, query), (group) => showGroup(table, group)),
  createGroup,
  getGroup: async ({ table, params }) => showGroup(table, await table.get(scannerGroups, params.id)),
  updateGroup,
  async deleteGroup({ table, params }) {
    const group = await table.get(scannerGroups, params.id, true);
    assertUnused('scanner group', await usesOf(table, group.id));
    await table.delete(scannerGroups, group, (batch) => batch.write(...unusedChecks(table.tenant, group.id)));
    await setMembers(table, { groupId: group.id, field: 'groupIds', wanted: [] });
    return { id: group.id, deletedAt: now() };
  },
};
