import { admin } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { Integrator } from '#shared/soc/incidents/integrator.ts';
import { Collector } from '#shared/soc/siem/collector.ts';

const anyone = { role: 'viewer' } as const;

const listing =
  '`status` is that of this moment; the counters of dashboards follow within minutes. `instanceId` is null unless you are an administrator.';
const updating =
  'A merge patch. A machine that is not `enabled` stays linked, and its calls are refused with 401 until it is enabled again.';
const deleting =
  'Its credential ends within a minute everywhere. To come back, the machine is linked anew, as another one.';

export const machineRoutes = defineRoutes({
  listCollectors: {
    method: 'GET',
    path: '/api/v1/collectors',
    summary: 'List the linked collectors, newest first',
    description: listing,
    access: anyone,
    query: Pagination,
    response: pageOf(Collector),
  },
  getCollector: {
    method: 'GET',
    path: '/api/v1/collectors/{id}',
    summary: 'Read a collector',
    description: listing,
    access: anyone,
    response: Collector,
  },
  updateCollector: {
    method: 'PATCH',
    path: '/api/v1/collectors/{id}',
    summary: 'Change the settings of a collector, or stop it',
    description: updating,
    access: admin,
    body: patchBody(Collector),
    response: Collector,
  },
  deleteCollector: {
    method: 'DELETE',
    path: '/api/v1/collectors/{id}',
    summary: 'Remove a collector',
    description: `${deleting} Its sources and their events stay.`,
    access: admin,
    response: Deletion,
  },
  listIntegrators: {
    method: 'GET',
    path: '/api/v1/integrators',
    summary: 'List the linked integrators, newest first',
    description: listing,
    access: anyone,
    query: Pagination,
    response: pageOf(Integrator),
  },
  getIntegrator: {
    method: 'GET',
    path: '/api/v1/integrators/{id}',
    summary: 'Read an integrator',
    description: listing,
    access: anyone,
    response: Integrator,
  },
  deleteIntegrator: {
    method: 'DELETE',
    path: '/api/v1/integrators/{id}',
    summary: 'Remove an integrator',
    description: `${deleting} Response actions that it has fail: whether they were done is not known.`,
    access: admin,
    response: Deletion,
  },
});
