import * as z from 'zod';
import { admin, staff } from '#shared/auth/access.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { QueuedResponse } from '#shared/jobs/task.ts';
import { MAINTENANCE } from './work.ts';

const Maintenance = z
  .object({
    work: z.enum(MAINTENANCE).meta({
      description:
        'rekey: count and index old records by the declarations of this release; verify: recount every collection and ' +
        'compare; respell: give repositories and branches that earlier releases stored as reports spelled them their one name; ' +
        'views: make vulnerabilities and whatever else is kept from other records anew, and look for assets that are one machine; ' +
        'restored: after the service was restored to an earlier time, make the records of earlier scans anew that are missing, and ' +
        'go on with every task that had not ended',
    }),
    repair: z.boolean().default(false).meta({ description: 'with verify: repair the differences' }),
  })
  .meta({ id: 'Maintenance', example: { work: 'verify' } });

const OrganizationDeletion = z
  .object({ name: z.string().meta({ description: 'the name of the organization, letter by letter' }) })
  .meta({ id: 'OrganizationDeletion', example: { name: 'Acme' } });

const OrganizationRestoration = z
  .object({
    copyId: z
      .uuid()
      .meta({ description: 'the id of the task that took the copy, or the one that npm run restore told' }),
    name: z.string().meta({ description: 'the name of the organization, letter by letter' }),
  })
  .meta({ id: 'OrganizationRestoration', example: { copyId: '01a20bb8-3614-798e-8000-000000ad99e2', name: 'Acme' } });

export const maintenanceRoutes = defineRoutes({
  startMaintenance: {
    method: 'POST',
    path: '/api/v1/organization/maintenance',
    summary: "Verify the organization's counters, or renew counters and search words after an upgrade",
    description:
      'The work is queued and the service keeps running. The result of `rekey` is `{seen, rewritten}`. The result of ' +
      '`verify` is `{records, unsettled, differences: [{kind, pk, sk, attribute?, stands, expected, repaired}]}` with ' +
      'the first 100 differences. The result of `respell` is `{findings, changed}`: how many it looked at and how many it changed. The result of `views` is `{seen, compared}`: how many records it read, and how many assets it compared with the others. ' +
      'The result of `restored` is `{made, requeued}`: how many records of earlier scans it ' +
      'made anew, and how many tasks go on.',
    access: admin,
    body: Maintenance,
    response: QueuedResponse,
  },
  deleteOrganization: {
    method: 'POST',
    path: '/api/v1/organizations/{id}/deletion',
    summary: 'Delete an organization for good, with everything that it has',
    description:
      'For staff of the provider. Send the name of the organization in `name`, so that no other one is deleted by a wrong id. Its ' +
      'credentials end, and every row and file of it is removed; the whole storage is read again until nothing of it is found. The ' +
      "result is `{rows, objects, passes, mentions}`: `mentions` are rows of others that name it and stay, such as the provider's audit " +
      'log. Backups keep it until they expire (docs/restore.md).',
    access: staff,
    body: OrganizationDeletion,
    response: QueuedResponse,
  },
  copyOrganization: {
    method: 'POST',
    path: '/api/v1/organizations/{id}/copies',
    summary: 'Copy an organization with everything that it has',
    description:
      'For staff of the provider. Every row and file of the organization is copied while it goes on working. The result is ' +
      '`{copyId, rows, objects, digest}`. The copy lies in the storage for 30 days, and is deleted with the organization (docs/restore.md).',
    access: staff,
    response: QueuedResponse,
  },
  restoreOrganization: {
    method: 'POST',
    path: '/api/v1/organizations/{id}/restoration',
    summary: 'Bring an organization back to what a copy of it holds',
    description:
      'For staff of the provider. Other organizations go on. The callers of this one get `limit_exceeded` for some minutes, until it is as ' +
      'the copy was: what came since is gone, credentials among it. The result is `{rows, objects, passes, digest, taken}`; the task ' +
      'succeeds only if the storage holds what the copy does. An organization that was deleted comes back too.',
    access: staff,
    body: OrganizationRestoration,
    response: QueuedResponse,
  },
});
