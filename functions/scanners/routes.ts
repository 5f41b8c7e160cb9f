import * as z from 'zod';
import { admin, reads, writes } from '#shared/auth/access.ts';
import { Scanner, ScannerUpdate } from '#shared/entities/scanner.ts';
import { ScannerTask } from '#shared/entities/scanner-task.ts';
import { Pagination, pageOf, SearchQuery, searchPageOf } from '#shared/http/pagination.ts';
import { Deletion, Id, patchBody } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { ValueCount } from '#shared/http/value-counts.ts';

const base = '/api/v1/validation-operations';

export const scannerRoutes = defineRoutes({
  listScannerTasks: {
    method: 'GET',
    path: `${base}/scanner-tasks`,
    operation: 'List Scanner Tasks',
    summary: 'List scanner tasks, newest first',
    description: '`engagementId` lists those of one engagement.',
    access: reads('scans:trigger'),
    query: Pagination.extend({ engagementId: Id.optional() }),
    response: pageOf(ScannerTask),
  },
  searchScannerTasks: {
    method: 'GET',
    path: `${base}/scanner-tasks/search`,
    operation: 'Search Scanner Tasks',
    summary: 'Search scanner tasks by the words of target, type and zone',
    access: reads('scans:trigger'),
    query: SearchQuery,
    response: searchPageOf(ScannerTask),
  },
  countScannerTasksByStatus: {
    method: 'GET',
    path: `${base}/scanner-tasks/status`,
    operation: 'Scanner Tasks Status',
    summary: 'How many scanner tasks have each status, in the order of their life',
    access: reads('scans:trigger'),
    response: z.array(ValueCount),
  },
  countScannerTasksByType: {
    method: 'GET',
    path: `${base}/scanner-tasks/type`,
    operation: 'Scanner Tasks Type',
    summary: 'How many scanner tasks there are of each type in use, most first',
    access: reads('scans:trigger'),
    response: z.array(ValueCount),
  },
  countScannerTasksByZone: {
    method: 'GET',
    path: `${base}/scanner-tasks/zone`,
    operation: 'Scanner Tasks Zone',
    summary: 'How many scanner tasks there are in each zone, most first; null is no zone',
    access: reads('scans:trigger'),
    response: z.array(ValueCount),
  },
  getScannerTask: {
    method: 'GET',
    path: `${base}/scanner-tasks/{id}`,
    operation: 'Get Scanner Task',
    summary: 'Read a scanner task, with its progress and, once its report was read, what came of it',
    access: reads('scans:trigger'),
    response: ScannerTask,
  },
  cancelScannerTask: {
    method: 'POST',
    path: `${base}/scanner-tasks/{id}/cancel`,
    summary: 'Cancel a scanner task',
    description:
      'One that waits is cancelled at once. One that runs stays running with `cancelRequestedAt`: its scanner hears of ' +
      'it with its next poll, and it is cancelled when the scanner confirms or the lease ends. A scanner that had ' +
      'finished by then wins: the task is completed and its findings are taken.',
    access: writes('scans:trigger'),
    response: ScannerTask,
  },
  listScanners: {
    method: 'GET',
    path: `${base}/scanners`,
    operation: 'List Scanners',
    summary: 'List scanners, newest first',
    access: reads('scans:trigger'),
    query: Pagination,
    response: pageOf(Scanner),
  },
  getScanner: {
    method: 'GET',
    path: `${base}/scanners/{id}`,
    operation: 'Get Scanner',
    summary: 'Read a scanner',
    access: reads('scans:trigger'),
    response: Scanner,
  },
  updateScanner: {
    method: 'PATCH',
    path: `${base}/scanners/{id}`,
    operation: 'Update Scanner',
    summary: 'Change the settings of a scanner',
    description:
      '`enabled: false` drains the scanner: it finishes what it holds and gets nothing new. It takes effect with its ' +
      'next poll.',
    access: admin,
    body: patchBody(Scanner, ScannerUpdate),
    response: Scanner,
  },
  deleteScanner: {
    method: 'DELETE',
    path: `${base}/scanners/{id}`,
    operation: 'Delete Scanner',
    summary: 'Remove a scanner',
    description: 'Its credential is revoked within a minute, and what it holds returns to the queue.',
    access: admin,
    response: Deletion,
  },
});
