import { Scanner } from '#shared/entities/scanner.ts';
import { SCANNER_TASK_STATUSES, scannerTasks } from '#shared/entities/scanner-task.ts';
import { showPage } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { tallyCounts, valueCounts } from '#shared/http/value-counts.ts';
import { deleteHolder } from '#shared/leases/give-back.ts';
import { listMachines, showMachine, updateMachine } from '#shared/machines/machine.ts';
import { cancelTask } from '#shared/scanners/cancel-task.ts';
import { assertGroups } from '#shared/scanners/groups.ts';
import { scannerLeases } from '#shared/scanners/leases.ts';
import { scannerMachines } from '#shared/scanners/presence.ts';
import { showTask, showTasks } from '#shared/scanners/show.ts';
import type { scannerRoutes } from './routes.ts';

export const scannerHandlers: Handlers<typeof scannerRoutes> = {
  listScannerTasks: ({ table, query: { engagementId, ...paging } }) =>
    showPage(table.list(scannerTasks, { ...paging, parent: { engagement: engagementId } }), (found) =>
      showTasks(table, found),
    ),
  searchScannerTasks: ({ table, query }) =>
    showPage(table.list(scannerTasks, query), (found) => showTasks(table, found)),
  countScannerTasksByStatus: async ({ table }) =>
    valueCounts(SCANNER_TASK_STATUSES, await table.facets(scannerTasks), 'status'),
  countScannerTasksByType: async ({ table }) => tallyCounts(await table.tallies(scannerTasks, 'type')),
  countScannerTasksByZone: async ({ table }) =>
    tallyCounts(await table.tallies(scannerTasks, 'zone'), (zone) => zone ?? 'No zone'),
  getScannerTask: async ({ table, params }) => showTask(table, await table.get(scannerTasks, params.id)),
  cancelScannerTask: ({ table, params }) => cancelTask(table, params.id),
  listScanners: ({ table, query }) => listMachines(scannerMachines, table, query),
  getScanner: ({ table, params }) => showMachine(scannerMachines, table, params.id),
  async updateScanner({ table, params: { id }, body, ifMatch }) {
    await assertGroups(table, id, body.groupIds);
    return updateMachine(scannerMachines, table, { id, record: Scanner, patch: body, ifMatch });
  },
  deleteScanner: ({ table, params }) => deleteHolder(scannerLeases, table, params.id),
};
