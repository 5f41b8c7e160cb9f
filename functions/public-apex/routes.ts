import { staff } from '#shared/auth/access.ts';
import { PublicApexAppliance } from '#shared/entities/apex-appliance.ts';
import { Pagination, pageOf } from '#shared/http/pagination.ts';
import { Deletion, patchBody } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';

const base = '/api/v1/validation-operations/public-apex';

export const publicApexRoutes = defineRoutes({
  listPublicAppliances: {
    method: 'GET',
    path: base,
    operation: 'List Public Apex Appliances',
    summary: "List the provider's Apex appliances, newest first",
    description:
      'Those that are linked with a token of your organization. The `public` ones take tasks of every organization.',
    access: staff,
    query: Pagination,
    response: pageOf(PublicApexAppliance),
  },
  getPublicAppliance: {
    method: 'GET',
    path: `${base}/{id}`,
    operation: 'Get Public Apex Appliance',
    summary: "Read one of the provider's Apex appliances",
    access: staff,
    response: PublicApexAppliance,
  },
  updatePublicAppliance: {
    method: 'PATCH',
    path: `${base}/{id}`,
    operation: 'Update Public Apex Appliance',
    summary: "Change the settings of one of the provider's Apex appliances",
    description:
      '`public: true` gives it to all organizations: from its next poll on it takes the tasks of campaigns with ' +
      '`usePublicApex`, of one organization after the other, and nothing else. What it does for a client the client alone ' +
      'sees. `enabled: false` drains it: it finishes what it holds and gets nothing new.',
    access: staff,
    body: patchBody(PublicApexAppliance),
    response: PublicApexAppliance,
  },
  deletePublicAppliance: {
    method: 'DELETE',
    path: `${base}/{id}`,
    operation: 'Delete Public Apex Appliance',
    summary: "Remove one of the provider's Apex appliances",
    description: 'Its credential is revoked within a minute, and the tasks that it holds wait for another.',
    access: staff,
    response: Deletion,
  },
});
