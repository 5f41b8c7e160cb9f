import { admin, readsScans } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { ScannerGroup } from '#shared/scanning/scanners/scanner-group.ts';

const base = '/api/v1/validation-operations/scanner-groups';

const dispatch =
  'Scanners ask for work; `dispatch` decides how many of the waiting tasks one scanner takes. `round_robin`: an ' +
  'equal part for each online scanner of the group. `least_loaded`: the same part, less the tasks that it holds. ' +
  'Tasks of the group wait while `maxConcurrentTasks` of them run.';

export const scannerGroupRoutes = defineRoutes({
  listGroups: {
    method: 'GET',
    path: base,
    operation: 'List Groups',
    summary: 'List scanner groups, newest first',
    description:
      '`scanners` and the counts of `tasks` are live. Pools of the provider are not listed here but at ' +
      '`.../public-scanner-groups/options`.',
    access: readsScans,
    query: Pagination,
    response: pageOf(ScannerGroup),
  },
  createGroup: {
    method: 'POST',
    path: base,
    operation: 'Create Group',
    summary: 'Create a scanner group',
    description:
      'A task whose engagement names no group goes to the group with the most specific `routing` entry for its ' +
      `target, in the same zone and for its type; without such a group to any scanner that fits. ${dispatch}`,
    access: admin,
    body: createBody(ScannerGroup),
    response: ScannerGroup,
  },
  getGroup: {
    method: 'GET',
    path: `${base}/{id}`,
    operation: 'Get Group',
    summary: 'Read a scanner group, with its scanners and the counts of its tasks',
    description: '`tasks` counts those that wait for the group or run in it, not those that have ended.',
    access: readsScans,
    response: ScannerGroup,
  },
  updateGroup: {
    method: 'PATCH',
    path: `${base}/{id}`,
    operation: 'Update Group',
    summary: 'Change a scanner group',
    description: `\`scannerIds\` replaces its scanners. Waiting tasks stay in their queues. ${dispatch}`,
    access: admin,
    body: patchBody(ScannerGroup),
    response: ScannerGroup,
  },
  deleteGroup: {
    method: 'DELETE',
    path: `${base}/{id}`,
    operation: 'Delete Group',
    summary: 'Delete an unused scanner group',
    description: 'Its scanners stay. Answers `conflict` while an open engagement names it or its tasks wait or run.',
    access: admin,
    response: Deletion,
  },
});
