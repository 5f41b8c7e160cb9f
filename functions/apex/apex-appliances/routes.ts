import * as z from 'zod';
import { ApexAppliance } from '#shared/apex/apex-appliance.ts';
import { adminOf, readsScans } from '#shared/platform/auth/access.ts';
import { Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, Id, patchBody, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { ValueCount } from '#shared/platform/http/value-counts.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { countedStatus } from '#shared/scanning/machines/machine.ts';

const base = '/api/v1/validation-operations/apex';
const admin = adminOf('scanning');

const reason = z.string().trim().min(1).max(500);
const ApplianceCommand = z.object({ reason: reason.default('asked by an operator') }).meta({ id: 'ApplianceCommand' });
const ApplianceCommandAnswer = z.object({ id: Id, expiresAt: Timestamp }).meta({ id: 'ApplianceCommandAnswer' });
const withNextUpdates = 'The appliance gets the command with its session updates of the next five minutes.';

export const apexApplianceRoutes = defineRoutes({
  listAppliances: get(base, {
    operation: 'List Apex Appliances',
    summary: 'List Apex appliances, newest first',
    description:
      'Lists the appliances of your organization, without the appliances of the provider. `status` is current. `instanceId` is ' +
      'null unless you are an administrator.',
    access: readsScans,
    query: Listing.extend({ status: countedStatus }),
    response: pageOf(ApexAppliance),
  }),
  searchAppliances: get(`${base}/search`, {
    operation: 'Search Apex Appliances',
    summary: 'Search Apex appliances by the words of name, host name, zone and tags',
    description:
      'Only the first 12 words of an appliance count, in the order of the summary. Appliances of the provider are not found.',
    access: readsScans,
    query: SearchQuery,
    response: searchPageOf(ApexAppliance),
  }),
  countAppliancesByStatus: get(`${base}/status`, {
    operation: 'Apex status',
    summary: 'Count Apex appliances by status',
    description:
      'The answer has every status, even with a count of 0. An appliance that stops calling is counted as offline within minutes.',
    access: readsScans,
    response: z.array(ValueCount),
  }),
  stopAllApex: post(`${base}/stop-all`, {
    summary: 'Stop all Apex campaigns and tasks of the organization',
    description:
      'Cancels every running campaign and every waiting or running task. Appliances stop with their next poll or session update. ' +
      'The cancelled campaigns and tasks name the person who stopped them and the `reason`. Follow `taskId` at ' +
      '`/api/v1/tasks/{id}`; its result counts the cancelled campaigns and tasks.',
    access: admin,
    body: z.strictObject({ reason: reason.optional().meta({ example: 'A production system answers slowly.' }) }),
    response: QueuedResponse,
  }),
  getAppliance: get(`${base}/{id}`, {
    operation: 'Get Apex Appliance',
    summary: 'Read an Apex appliance, with its session',
    description:
      '`status`, `session` and `runningTasks` are current; `session` is null until the appliance has sent a session. An appliance ' +
      'of another organization is `not_found`, even if the provider shares it.',
    access: readsScans,
    response: ApexAppliance,
  }),
  updateAppliance: patch(`${base}/{id}`, {
    operation: 'Update Apex Appliance',
    summary: 'Change the settings of an Apex appliance',
    description:
      '`enabled: false` drains the appliance: from its next poll on, it finishes its tasks and gets no new tasks. Its access ' +
      'tokens end within a minute, and it can neither upload nor rotate its secret.',
    access: admin,
    body: patchBody(ApexAppliance),
    response: ApexAppliance,
  }),
  deleteAppliance: remove(`${base}/{id}`, {
    operation: 'Delete Apex Appliance',
    summary: 'Remove an Apex appliance',
    description: "The appliance's credential is revoked within a minute, and its tasks wait for another appliance.",
    access: admin,
    response: Deletion,
  }),
  rotateApplianceCredential: post(`${base}/{id}/commands/rotate-credential`, {
    summary: 'Ask an appliance to link again for a new credential',
    description: withNextUpdates,
    access: admin,
    body: ApplianceCommand,
    response: ApplianceCommandAnswer,
  }),
  upgradeAppliance: post(`${base}/{id}/commands/upgrade`, {
    summary: 'Ask an appliance to upgrade its software',
    description: withNextUpdates,
    access: admin,
    body: ApplianceCommand,
    response: ApplianceCommandAnswer,
  }),
});
