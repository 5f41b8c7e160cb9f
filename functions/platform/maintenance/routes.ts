import * as z from 'zod';
import { OrganizationDeletion } from '#shared/credentials/organization.ts';
import { admin, platformOwner } from '#shared/platform/auth/access.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
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

const OrganizationName = z
  .object({ name: z.string().meta({ description: 'the name of the organization, letter by letter' }) })
  .meta({ id: 'OrganizationName', example: { name: 'Acme' } });

const OrganizationRestoration = z
  .object({
    copyId: z
      .uuid()
      .meta({ description: 'the id of the task that took the copy, or the one that npm run restore told' }),
    name: z.string().meta({ description: 'the name of the organization, letter by letter' }),
  })
  .meta({ id: 'OrganizationRestoration', example: { copyId: '01a20bb8-3614-798e-8000-000000ad99e2', name: 'Acme' } });

const deletion = '/api/v1/organizations/{id}/deletion';
const ownDeletion = '/api/v1/organization/deletion';

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
    path: deletion,
    summary: 'Ask for the deletion of an organization for good, with everything that it has',
    description:
      'For platform owners. Send the name of the organization in `name`, so that no other one is deleted by a wrong id. Nothing ' +
      'happens before a second person approves. Then the organization works on as before for seven days of grace, in which ' +
      'every platform owner and every administrator of the organization can cancel the deletion. An organization of the provider is refused.',
    access: platformOwner,
    body: OrganizationName,
    response: OrganizationDeletion,
  },
  getOrganizationDeletion: {
    method: 'GET',
    path: deletion,
    summary: 'Get the deletion of an organization that was asked for last',
    description: 'For platform owners. If nobody asked for one, the answer is `not_found`.',
    access: platformOwner,
    response: OrganizationDeletion,
  },
  approveOrganizationDeletion: {
    method: 'POST',
    path: `${deletion}/approve`,
    summary: 'Approve the deletion of an organization, which begins seven days later',
    description:
      'For platform owners. The account must be of a second person: neither the one that asked, nor one that this made, nor its ' +
      'maker, nor one of the same maker; who gives an account a new secret counts as its maker. At `deletionAt` a task deletes: the ' +
      "organization's credentials end, and every row and file of it is removed; the whole storage is read again until nothing of it is " +
      "found. The task's result is `{rows, objects, passes, mentions}`: `mentions` are rows of others that name it and stay, such as the " +
      "provider's audit log. While shared machines work for the organization, the task waits. Backups keep it until they expire (docs/restore.md).",
    access: { ...platformOwner, approves: true },
    body: OrganizationName,
    response: OrganizationDeletion,
  },
  cancelOrganizationDeletion: {
    method: 'POST',
    path: `${deletion}/cancel`,
    summary: 'Cancel the deletion of an organization',
    description: 'For platform owners, until the deletion begins; one suffices.',
    access: platformOwner,
    response: OrganizationDeletion,
  },
  getOwnDeletion: {
    method: 'GET',
    path: ownDeletion,
    summary: 'Get the deletion of your organization that the provider asked for last',
    description:
      '`status` `requested` waits for a second person of the provider; `approved` begins at `deletionAt`. If nobody asked for a deletion, the ' +
      'answer is `not_found`. While one is approved, `organization.deletionAt` stands in `GET /api/v1/config` too.',
    access: admin,
    response: OrganizationDeletion,
  },
  cancelOwnDeletion: {
    method: 'POST',
    path: `${ownDeletion}/cancel`,
    summary: 'Cancel the deletion of your organization',
    description: 'Until the deletion begins. The provider can ask for it again.',
    access: admin,
    response: OrganizationDeletion,
  },
  copyOrganization: {
    method: 'POST',
    path: '/api/v1/organizations/{id}/copies',
    summary: 'Copy an organization with everything that it has',
    description:
      'For platform owners. Every row and file of the organization is copied while it goes on working. The result is ' +
      '`{copyId, rows, objects, digest}`. The copy lies in the storage for 30 days, and is deleted with the organization (docs/restore.md).',
    access: platformOwner,
    response: QueuedResponse,
  },
  restoreOrganization: {
    method: 'POST',
    path: '/api/v1/organizations/{id}/restoration',
    summary: 'Bring an organization back to what a copy of it holds',
    description:
      'For platform owners. Other organizations go on. The callers of this one get `limit_exceeded` for some minutes, until it is as ' +
      'the copy was: what came since is gone, credentials among it. The result is `{rows, objects, passes, digest, taken}`; the task ' +
      'succeeds only if the storage holds what the copy does. An organization that was deleted comes back too.',
    access: platformOwner,
    body: OrganizationRestoration,
    response: QueuedResponse,
  },
});
