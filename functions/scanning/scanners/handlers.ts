import type { Caller } from '#shared/platform/auth/permissions.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import { filtered } from '#shared/platform/http/figures.ts';
import { showEach, showPage } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { inAnyCase, statusCounts, tallyCounts } from '#shared/platform/http/value-counts.ts';
import { caseless, quoted } from '#shared/platform/runtime/texts.ts';
import { where } from '#shared/platform/table/match.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { cancelTask } from '#shared/scanning/fleet/cancel-task.ts';
import { assertGroups } from '#shared/scanning/fleet/groups.ts';
import { scannerLeases } from '#shared/scanning/fleet/leases.ts';
import { scannerMachines } from '#shared/scanning/fleet/presence.ts';
import { showTask, showTasks } from '#shared/scanning/fleet/show.ts';
import { deleteHolder } from '#shared/scanning/leases/give-back.ts';
import { listMachines, showMachine, updateMachine } from '#shared/scanning/machines/machines.ts';
import { machineSeenBy } from '#shared/scanning/machines/seen-by.ts';
import { hideCredentialIds } from '#shared/scanning/scan-credentials/hide-credential-ids.ts';
import { scannerTaskFilter } from '#shared/scanning/scanner-tasks/filter-fields.ts';
import { SCANNER_TASK_STATUSES, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { Scanner } from '#shared/scanning/scanners/scanner.ts';
import type { scannerRoutes } from './routes.ts';

type Listing = PageRange & Partial<Record<'engagementId' | 'search' | 'filter' | 'filterId', string | undefined>>;

async function list({ table, caller, query }: { table: Table; caller: Caller; query: Listing }) {
  const { engagementId, ...asked } = await withMatching({ table, caller }, scannerTaskFilter, query);
  const found = table.list(scannerTasks, { ...asked, parent: { engagement: engagementId } });
  return showPage(found, async (tasks) =>
    (await showTasks(table, tasks)).map((task) => hideCredentialIds(caller, task)),
  );
}

const tasksWith = filtered('/api/v1/validation-operations/scanner-tasks');

export const scannerHandlers: Handlers<typeof scannerRoutes> = {
  listScannerTasks: list,
  searchScannerTasks: list,
  countScannerTasksByStatus: async ({ table }) =>
    statusCounts(SCANNER_TASK_STATUSES, await table.facets(scannerTasks), (status) => tasksWith(`status:${status}`)),
  countScannerTasksByType: async ({ table }) =>
    tallyCounts(await table.tallies(scannerTasks, 'type'), (type) => tasksWith(`type:${type}`)),
  countScannerTasksByZone: async ({ table }) =>
    tallyCounts(
      inAnyCase(await table.tallies(scannerTasks, 'zone')),
      (zone) => tasksWith(zone === null ? '-zone:*' : `zone:${quoted(zone)}`),
      (zone) => zone ?? 'No zone',
    ),
  getScannerTask: async ({ table, caller, params }) =>
    hideCredentialIds(caller, await showTask(table, await table.get(scannerTasks, params.id))),
  cancelScannerTask: ({ table, params }) => cancelTask(table, params.id),
  listScanners: ({ table, caller, query: { status, zone, versionStatus, ...range } }) => {
    const asked = where({ status, version: versionStatus, zone: zone === '' ? null : zone && caseless(zone) });
    return showEach(listMachines(scannerMachines, table, { ...range, ...asked }), (one) => machineSeenBy(caller, one));
  },
  getScanner: async ({ table, caller, params }) =>
    machineSeenBy(caller, await showMachine(scannerMachines, table, params.id)),
  async updateScanner({ table, params: { id }, body, ifMatch }) {
    await assertGroups(table, id, body.groupIds);
    return updateMachine(scannerMachines, table, { id, record: Scanner, patch: body, ifMatch });
  },
  deleteScanner: ({ table, params }) => deleteHolder(scannerLeases, table, params.id),
};
