import { adminOf, readsScans } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { ScannerGroup } from '#shared/scanning/scanners/scanner-group.ts';

const base = '/api/v1/validation-operations/scanner-groups';
const admin = adminOf('scanning');

const dispatch =
  'Scanners poll for work; `dispatch` decides how many of the waiting tasks a scanner takes. `round_robin`: each online scanner of ' +
  'the group takes an equal share. `least_loaded`: each scanner takes its share less the tasks that it already holds. Tasks of the ' +
  'group wait while `maxConcurrentTasks` of its tasks run.';

export const scannerGroupRoutes = defineRoutes({
  listGroups: get(base, {
    operation: 'List Groups',
    summary: 'List scanner groups, newest first',
    description:
      '`scanners` and the counts of `tasks` are live. Pools of the provider are listed at `.../public-scanner-groups/options`.',
    access: readsScans,
    query: Listing,
    response: pageOf(ScannerGroup),
  }),
  createGroup: post(base, {
    operation: 'Create Group',
    summary: 'Create a scanner group',
    description:
      'A task whose engagement names no group goes to the group with the most specific `routing` entry for its target, in the same ' +
      `zone and for its type; without such a group it goes to any suitable scanner. ${dispatch}`,
    access: admin,
    body: createBody(ScannerGroup),
    response: ScannerGroup,
  }),
  getGroup: get(`${base}/{id}`, {
    operation: 'Get Group',
    summary: 'Read a scanner group, with its scanners and the counts of its tasks',
    description: '`tasks` counts the tasks that wait for the group or run in it, not ended tasks.',
    access: readsScans,
    response: ScannerGroup,
  }),
  updateGroup: patch(`${base}/{id}`, {
    operation: 'Update Group',
    summary: 'Change a scanner group',
    description: `\`scannerIds\` replaces the scanners of the group. Waiting tasks stay in their queues. ${dispatch}`,
    access: admin,
    body: patchBody(ScannerGroup),
    response: ScannerGroup,
  }),
  deleteGroup: remove(`${base}/{id}`, {
    operation: 'Delete Group',
    summary: 'Delete an unused scanner group',
    description:
      'The scanners of the group stay. While an open engagement names the group, or tasks of the group wait or run, the answer is ' +
      '`conflict`.',
    access: admin,
    response: Deletion,
  }),
});
