import * as z from 'zod';
import { adminOf, readsScans, writes } from '#shared/platform/auth/access.ts';
import { filterParameters } from '#shared/platform/filter/read.ts';
import { anyOf, Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, Id, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { ValueCount } from '#shared/platform/http/value-counts.ts';
import { countedStatus } from '#shared/scanning/machines/machine.ts';
import { ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { Scanner, ScannerUpdate } from '#shared/scanning/scanners/scanner.ts';

const base = '/api/v1/validation-operations';
const admin = adminOf('scanning');

export const scannerRoutes = defineRoutes({
  listScannerTasks: get(`${base}/scanner-tasks`, {
    operation: 'List Scanner Tasks',
    summary: 'List scanner tasks, newest first',
    description:
      '`engagementId` limits the list to one engagement; `filter` and `filterId` combine with it (docs/filters.md).',
    access: readsScans,
    query: Listing.extend({ engagementId: Id.optional(), ...filterParameters }),
    response: searchPageOf(ScannerTask),
  }),
  searchScannerTasks: get(`${base}/scanner-tasks/search`, {
    operation: 'Search Scanner Tasks',
    summary: 'Search scanner tasks by the words of target, type and zone',
    description:
      'Finds tasks of every status, including ended tasks. The beginning of an address finds its network: `10.1` finds 10.1.0.7, ' +
      'and 10.10.0.7 too.',
    access: readsScans,
    query: SearchQuery.extend(filterParameters),
    response: searchPageOf(ScannerTask),
  }),
  countScannerTasksByStatus: get(`${base}/scanner-tasks/status`, {
    operation: 'Scanner Tasks Status',
    summary: 'Count scanner tasks by status, in the order of their life cycle',
    description:
      'Counts all tasks of the organization, including ended tasks. The answer has every status, even with a count of 0.',
    access: readsScans,
    response: z.array(ValueCount),
  }),
  countScannerTasksByType: get(`${base}/scanner-tasks/type`, {
    operation: 'Scanner Tasks Type',
    summary: 'Count scanner tasks by type, the most frequent first',
    description: 'Counts all tasks of the organization, including ended tasks. The answer omits types without tasks.',
    access: readsScans,
    response: z.array(ValueCount),
  }),
  countScannerTasksByZone: get(`${base}/scanner-tasks/zone`, {
    operation: 'Scanner Tasks Zone',
    summary: 'Count scanner tasks by zone, the most frequent first; null is no zone',
    description: 'Counts all tasks of the organization, including ended tasks. The answer omits zones without tasks.',
    access: readsScans,
    response: z.array(ValueCount),
  }),
  getScannerTask: get(`${base}/scanner-tasks/{id}`, {
    operation: 'Get Scanner Task',
    summary: 'Read a scanner task, with its progress and the result of its report',
    description:
      '`result` is present once all reports of the task are read; lists omit it. If a report could not be read, `error` gives the ' +
      'reason, even for a `completed` task.',
    access: readsScans,
    response: ScannerTask,
  }),
  cancelScannerTask: post(`${base}/scanner-tasks/{id}/cancel`, {
    summary: 'Cancel a scanner task',
    description:
      'A waiting task is cancelled at once. A running task stays `running` with `cancelRequestedAt`. The next poll of its scanner ' +
      'gets the request to stop, and the task is cancelled when the scanner confirms or the lease ends. If the scanner finishes ' +
      'before, the task is completed and its findings are kept.',
    access: writes('scans:trigger'),
    response: ScannerTask,
  }),
  listScanners: get(`${base}/scanners`, {
    operation: 'List Scanners',
    summary: 'List scanners, newest first',
    description:
      'Lists the scanners of your organization, without the scanners of the pools that you may use. `status` is current. ' +
      '`instanceId` is null unless you are an administrator.',
    access: readsScans,
    query: Listing.extend({
      status: countedStatus,
      zone: z.string().max(120).optional().meta({ description: 'an empty text lists scanners without a zone' }),
      versionStatus: anyOf(Scanner.shape.versionStatus).optional(),
    }),
    response: pageOf(Scanner),
  }),
  getScanner: get(`${base}/scanners/{id}`, {
    operation: 'Get Scanner',
    summary: 'Read a scanner',
    description:
      '`status` and `runningTasks` are current. A scanner of another organization is `not_found`, even if it works on your tasks.',
    access: readsScans,
    response: Scanner,
  }),
  updateScanner: patch(`${base}/scanners/{id}`, {
    operation: 'Update Scanner',
    summary: 'Change the settings of a scanner',
    description:
      '`enabled: false` drains the scanner: from its next poll on, it finishes its tasks and gets no new tasks. Its access tokens ' +
      'end within a minute, and it can neither upload nor rotate its secret. If its tasks may end with large reports, drain the ' +
      'scanner with `maintenanceUntil` instead.',
    access: admin,
    body: patchBody(Scanner, ScannerUpdate),
    response: Scanner,
  }),
  deleteScanner: remove(`${base}/scanners/{id}`, {
    operation: 'Delete Scanner',
    summary: 'Remove a scanner',
    description: "The scanner's credential is revoked within a minute, and its tasks return to the queue.",
    access: admin,
    response: Deletion,
  }),
});
