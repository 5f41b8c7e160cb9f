import { adminOf } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, remove } from '#shared/platform/http/route.ts';
import { countedStatus } from '#shared/scanning/machines/machine.ts';
import { Integrator } from '#shared/soc/incidents/integrator.ts';
import { Collector } from '#shared/soc/siem/collector.ts';

const anyone = { role: 'viewer', area: 'soc' } as const;

const listing =
  '`status` is current; the counters of dashboards follow within minutes. `instanceId` is null unless you are an administrator.';
const updating =
  'A merge patch. A machine that is not `enabled` stays linked, and its requests are refused with 401 until it is enabled again.';
const deleting = 'The credential of the machine ends within a minute. A machine that links again becomes a new record.';
const admin = adminOf('soc');

export const machineRoutes = defineRoutes({
  listCollectors: get('/api/v1/collectors', {
    summary: 'List the linked collectors, newest first',
    description: listing,
    access: anyone,
    query: Listing.extend({ status: countedStatus }),
    response: pageOf(Collector),
  }),
  getCollector: get('/api/v1/collectors/{id}', {
    summary: 'Read a collector',
    description: listing,
    access: anyone,
    response: Collector,
  }),
  updateCollector: patch('/api/v1/collectors/{id}', {
    summary: 'Change the settings of a collector, or disable it',
    description: updating,
    access: admin,
    body: patchBody(Collector),
    response: Collector,
  }),
  deleteCollector: remove('/api/v1/collectors/{id}', {
    summary: 'Remove a collector',
    description: `${deleting} The sources and their events stay.`,
    access: admin,
    response: Deletion,
  }),
  listIntegrators: get('/api/v1/integrators', {
    summary: 'List the linked integrators, newest first',
    description: listing,
    access: anyone,
    query: Listing,
    response: pageOf(Integrator),
  }),
  getIntegrator: get('/api/v1/integrators/{id}', {
    summary: 'Read an integrator',
    description: listing,
    access: anyone,
    response: Integrator,
  }),
  deleteIntegrator: remove('/api/v1/integrators/{id}', {
    summary: 'Remove an integrator',
    description: `${deleting} The response actions that the integrator holds fail, because their outcome is unknown.`,
    access: admin,
    response: Deletion,
  }),
});
