import * as z from 'zod';
import { OrganizationDeletion, Suspension } from '#shared/credentials/organization.ts';
import { admin, manager, platformOwner } from '#shared/platform/auth/access.ts';
import { Id, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { OrganizationLimits } from '#shared/platform/quotas/quotas.ts';
import { OwnRestoration, RequestedRestoration } from './restoration.ts';
import { MAINTENANCE } from './work.ts';

const Maintenance = z
  .object({
    work: z.enum(MAINTENANCE).meta({
      description:
        'rekey: count and index old records by the declarations of this release; verify: recount every collection and ' +
        'compare; views: make vulnerabilities and other derived records again, and look for assets that are one machine; ' +
        'restored: after a restore of the service to an earlier time, make the missing records of earlier scans, and ' +
        'continue every task that had not ended',
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
      .meta({ description: 'the id of the task that took the copy, or the id that npm run restore printed' }),
    name: z.string().meta({ description: 'the name of the organization, letter by letter' }),
  })
  .meta({ id: 'OrganizationRestoration', example: { copyId: '01a20bb8-3614-798e-8000-000000ad99e2', name: 'Acme' } });

const OrganizationService = objectNamed('OrganizationService', {
  organizationId: Id,
  suspension: Suspension.nullable().meta({ description: 'null: the organization is served' }),
});

const limits = '/api/v1/organizations/{id}/limits';
const deletion = '/api/v1/organizations/{id}/deletion';
const restoration = '/api/v1/organizations/{id}/restoration';
const ownDeletion = '/api/v1/organization/deletion';
const ownRestoration = '/api/v1/organization/restoration';

export const maintenanceRoutes = defineRoutes({
  startMaintenance: post('/api/v1/organization/maintenance', {
    summary: "Verify the organization's counters, or rebuild counters and search words after an upgrade",
    description:
      'The work is queued and the service keeps running. The result of `rekey` is `{seen, rewritten}`. The result of `verify` is ' +
      '`{records, unsettled, differences: [{kind, pk, sk, attribute?, stands, expected, repaired}]}` with the first 100 ' +
      'differences. The result of `views` is `{seen, compared}`: the records that the task read, and the assets that it compared with others. The result of ' +
      '`restored` is `{made, requeued}`: the records of earlier scans that the task rebuilt, and the tasks that continue.',
    access: admin,
    body: Maintenance,
    response: QueuedResponse,
  }),
  deleteOrganization: post(deletion, {
    summary: 'Request the permanent deletion of an organization with all of its data',
    description:
      'For platform owners. Send the name of the organization in `name`, so that a wrong id deletes no other organization. Nothing ' +
      'happens until a second person approves. Then the organization continues to work for seven days of grace, in which every ' +
      'platform owner and every administrator of the organization can cancel the deletion. An organization of the provider is ' +
      'refused.',
    access: platformOwner,
    body: OrganizationName,
    response: OrganizationDeletion,
  }),
  getOrganizationDeletion: get(deletion, {
    summary: 'Get the last requested deletion of an organization',
    description: 'For platform owners. If nobody requested a deletion, the answer is `not_found`.',
    access: platformOwner,
    response: OrganizationDeletion,
  }),
  approveOrganizationDeletion: post(`${deletion}/approve`, {
    summary: 'Approve the deletion of an organization; the deletion begins seven days later',
    description:
      'For platform owners. The account must belong to a second person. Refused are the account that requested the deletion, the ' +
      'accounts that this account created, its creator, and other accounts of the same creator. A person who gives an account a ' +
      "new secret counts as its creator. At `deletionAt` a task ends the organization's credentials and removes all of its rows " +
      "and files; the task reads the whole storage again until it finds none. The task's result is `{rows, objects, passes, " +
      "mentions}`: `mentions` are rows of other organizations that name the deleted one and stay, such as the provider's audit " +
      'log. The task waits while shared machines work for the organization. Backups keep the organization until they expire ' +
      '(docs/restore.md).',
    access: { ...platformOwner, approves: true },
    body: OrganizationName,
    response: OrganizationDeletion,
  }),
  cancelOrganizationDeletion: post(`${deletion}/cancel`, {
    summary: 'Cancel the deletion of an organization',
    description: 'For platform owners, until the deletion begins. One platform owner suffices.',
    access: platformOwner,
    response: OrganizationDeletion,
  }),
  getOwnDeletion: get(ownDeletion, {
    summary: 'Get the last deletion of your organization that the provider requested',
    description:
      'A deletion with the `status` `requested` waits for a second person of the provider; an `approved` deletion begins at ' +
      '`deletionAt`. If nobody requested a deletion, the answer is `not_found`. While a deletion is approved, `GET /api/v1/config` ' +
      'also has `organization.deletionAt`.',
    access: admin,
    response: OrganizationDeletion,
  }),
  cancelOwnDeletion: post(`${ownDeletion}/cancel`, {
    summary: 'Cancel the deletion of your organization',
    description: 'Possible until the deletion begins. The provider can request the deletion again.',
    access: admin,
    response: OrganizationDeletion,
  }),
  getOwnRestoration: get(ownRestoration, {
    summary: 'Get the pending restoration of your organization that the provider requested',
    description:
      'For administrators. `message` says what happens when a second person of the provider approves. If no restoration waits for an ' +
      'approval, the answer is `not_found`.',
    access: admin,
    response: OwnRestoration,
  }),
  getOrganizationLimits: get(limits, {
    summary: 'Read the limits of an organization',
    description:
      'A limit that nobody set has its default. The organization reads the current use of each limit with `GET /api/v1/config`. An ' +
      'id that is no organization of the deployment is `not_found`.',
    access: manager,
    response: OrganizationLimits,
  }),
  updateOrganizationLimits: patch(limits, {
    summary: 'Change limits of an organization',
    description:
      'A merge patch: null restores the default. A lower limit removes nothing that the organization already has. ' +
      '`requestsPerSecond` and `heldRequests` change within a minute.',
    access: platformOwner,
    body: patchBody(OrganizationLimits),
    response: OrganizationLimits,
  }),
  suspendOrganization: post('/api/v1/organizations/{id}/suspend', {
    summary: 'Suspend an organization: nobody of it is served, and its data stay',
    description:
      'For platform owners. Within a minute every request with a credential of the organization is refused as `limit_exceeded`; ' +
      'machines wait and try again. Schedules of engagements, campaigns and scans, and the polls of code hosts and ticketing systems, ' +
      'pause; those that are missed run when the suspension ends. Shared scanners and appliances finish the tasks that they hold, and take no ' +
      'further ones. Reviews of deadlines, retention and a deletion continue. An organization of the provider is refused.',
    access: platformOwner,
    body: z.object({ reason: Suspension.shape.reason }).meta({ id: 'SuspensionReason' }),
    response: OrganizationService,
  }),
  resumeOrganization: post('/api/v1/organizations/{id}/resume', {
    summary: 'End the suspension of an organization',
    description: 'For platform owners. Callers are served again, and paused schedules run again, within a minute.',
    access: platformOwner,
    response: OrganizationService,
  }),
  copyOrganization: post('/api/v1/organizations/{id}/copies', {
    summary: 'Copy an organization with all of its data',
    description:
      'For platform owners. A task copies every row and file while the organization continues to work. The result is `{copyId, ' +
      'rows, objects, digest}`. The copy is kept for 30 days, and is deleted with the organization (docs/restore.md).',
    access: platformOwner,
    response: QueuedResponse,
  }),
  restoreOrganization: post(restoration, {
    summary: 'Request the restoration of an organization from a copy',
    description:
      'For platform owners. Nothing happens until a second person approves, within a day. A later request replaces an earlier one. A ' +
      'deleted organization can be restored too.',
    access: platformOwner,
    body: OrganizationRestoration,
    response: RequestedRestoration,
  }),
  approveOrganizationRestoration: post(`${restoration}/approve`, {
    summary: 'Approve the restoration of an organization; the restoration begins at once',
    description:
      'For platform owners. Send the body of the request. The account must belong to a second person, as for a deletion. Other ' +
      'organizations continue to work. The callers of this organization get `limit_exceeded` for some minutes, until the organization ' +
      'equals the copy: later data are gone, including credentials. The result is `{rows, objects, passes, digest, taken}`; the task ' +
      'succeeds only if the storage equals the copy.',
    access: { ...platformOwner, approves: true },
    body: OrganizationRestoration,
    response: QueuedResponse,
  }),
});
