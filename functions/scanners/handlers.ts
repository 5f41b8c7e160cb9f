import { scanners } from '#shared/entities/scanner.ts';
import { SCANNER_TASK_STATUSES, scannerTasks } from '#shared/entities/scanner-task.ts';
import type { Handlers } from '#shared/http/route.ts';
import { cancelTask } from '#shared/scanners/cancel-task.ts';
import { deleteScanner } from '#shared/scanners/delete-scanner.ts';
import { assertGroups } from '#shared/scanners/groups.ts';
import { listScanners, showScanner, showTask, showTasks } from '#shared/scanners/show.ts';
import { updateScanner } from '#shared/scanners/update-scanner.ts';
import type { Counts, TallyCount } from '#shared/table/counters.ts';
import type { scannerRoutes } from './routes.ts';

const label = (value: string): string => value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ');

/** Every status of the order, with zeros. */
const byStatus = (counts: Counts) =>
  SCANNER_TASK_STATUSES.map((value) => ({ value, label: label(value), count: counts[`status:${value}`] ?? 0 }));

/** Those in use, most first. */
const byCount = (tallies: TallyCount[], nameOf: (value: string | null) => string) =>
  tallies
    .map(({ value, counts }) => ({ value, label: nameOf(value), count: counts.n ?? 0 }))
    .sort((a, b) => b.count - a.count);

export const scannerHandlers: Handlers<typeof scannerRoutes> = {
  async listScannerTasks({ table, query: { engagementId, ...paging } }) {
    const parent = engagementId === undefined ? undefined : { list: 'engagement', id: engagementId };
    const page = await table.list(scannerTasks, { ...paging, parent });
    return { ...page, data: await showTasks(table, page.data) };
  },
  async searchScannerTasks({ table, query }) {
    const page = await table.search(scannerTasks, query);
    return { ...page, data: await showTasks(table, page.data) };
  },
  countScannerTasksByStatus: async ({ table }) => byStatus(await table.facets(scannerTasks)),
  countScannerTasksByType: async ({ table }) =>
    byCount(await table.tallies(scannerTasks, 'type'), (value) => label(value ?? '')),
  countScannerTasksByZone: async ({ table }) =>
    byCount(await table.tallies(scannerTasks, 'zone'), (value) => value ?? 'No zone'),
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
