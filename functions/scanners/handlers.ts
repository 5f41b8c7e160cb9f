import { scanners } from '#shared/entities/scanner.ts';
import { SCANNER_TASK_STATUSES, scannerTasks } from '#shared/entities/scanner-task.ts';
import type { Handlers } from '#shared/http/route.ts';
import { tallyCounts, valueCounts } from '#shared/http/value-counts.ts';
import { cancelTask } from '#shared/scanners/cancel-task.ts';
import { deleteScanner } from '#shared/scanners/delete-scanner.ts';
import { assertGroups } from '#shared/scanners/groups.ts';
import { listScanners, showScanner, showTask, showTasks } from '#shared/scanners/show.ts';
import { updateScanner } from '#shared/scanners/update-scanner.ts';
import type { scannerRoutes } from './routes.ts';

export const scannerHandlers: Handlers<typeof scannerRoutes> = {
  async listScannerTasks({ table, query: { engagementId, ...paging } }) {
    const page = await table.list(scannerTasks, { ...paging, parent: { engagement: engagementId } });
    return { ...page, data: await showTasks(table, page.data) };
  },
  async searchScannerTasks({ table, query }) {
    const page = await table.search(scannerTasks, query);
    return { ...page, data: await showTasks(table, page.data) };
  },
  countScannerTasksByStatus: async ({ table }) =>
    valueCounts(SCANNER_TASK_STATUSES, await table.facets(scannerTasks), 'status'),
  countScannerTasksByType: async ({ table }) => tallyCounts(await table.tallies(scannerTasks, 'type')),
  countScannerTasksByZone: async ({ table }) =>
    tallyCounts(await table.tallies(scannerTasks, 'zone'), (zone) => zone ?? 'No zone'),
  getScannerTask: async ({ table, params }) => showTask(table, await table.get(scannerTasks, params.id)),
  cancelScannerTask: ({ table, params }) => cancelTask(table, params.id),
  listScanners: ({ table, query }) => listScanners(table, query),
  async getScanner({ table, params }) {
    return showScanner(table, await table.get(scanners, params.id));
  },
  async updateScanner({ table, params, body, ifMatch }) {
    const patching = { patch: body, ifMatch };
    await assertGroups(table, params.id, body.groupIds);
    return updateScanner(table, params.id, patching);
  },
  deleteScanner: ({ table, params }) => deleteScanner(table, params.id),
};
