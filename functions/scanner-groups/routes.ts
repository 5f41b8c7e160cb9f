import { admin, reads } from '#shared/auth/access.ts';
import { ScannerGroup } from '#shared/entities/scanner-group.ts';
import { Pagination, pageOf } from '#shared/http/pagination.ts';
import { createBody, Deletion, patchBody } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';

const base = '/api/v1/validation-operations/scanner-groups';

const SETTINGS = [
  'name',
  'description',
  'zone',
  'scannerIds',
  'dispatch',
  'routing',
  'taskTypes',
  'maxConcurrentTasks',
  'tags',
] as const;

const dispatch =
  'Scanners ask for work; `dispatch` says how much of what waits one of them takes. `round_robin`: the same part as ' +
  'every other scanner of the group that is online. `least_loaded`: the same, less what it holds already. Tasks of ' +
  'the group wait while `maxConcurrentTasks` of them run.';

export const scannerGroupRoutes = defineRoutes({
  listGroups: {
    method: 'GET',
    path: base,
    operation: 'List Groups',
    summary: 'List scanner groups, newest first',
    access: reads('scans:trigger'),
    query: Pagination,
    response: pageOf(ScannerGroup),
  },
  createGroup: {
    method: 'POST',
    path: base,
    operation: 'Create Group',
    summary: 'Create a scanner group',
    description:
      'A task whose engagement names no group goes to the group with the most specific `routing` entry for its target, ' +
      `of the same zone and with its type; without one to any scanner that fits. ${dispatch}`,
    access: admin,
    body: createBody(ScannerGroup, SETTINGS),
    response: ScannerGroup,
  },
  getGroup: {
    method: 'GET',
    path: `${base}/{id}`,
    operation: 'Get Group',
    summary: 'Read a scanner group, with its scanners and what it has to do',
    access: reads('scans:trigger'),
    response: ScannerGroup,
  },
  updateGroup: {
    method: 'PATCH',
    path: `${base}/{id}`,
    operation: 'Update Group',
    summary: 'Change a scanner group',
    description: `\`scannerIds\` replaces its scanners. Tasks that wait stay where they are. ${dispatch}`,
    access: admin,
    body: patchBody(ScannerGroup),
    response: ScannerGroup,
  },
  deleteGroup: {
    method: 'DELETE',
    path: `${base}/{id}`,
    operation: 'Delete Group',
    summary: 'Delete a scanner group that nothing uses',
    description:
      'Its scanners stay. While an engagement that is not finished names it, or tasks wait for it, it stays.',
    access: admin,
    response: Deletion,
  },
});
