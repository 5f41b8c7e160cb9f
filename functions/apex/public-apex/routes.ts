import { PublicApexAppliance } from '#shared/apex/apex-appliance.ts';
import { manager } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, remove } from '#shared/platform/http/route.ts';

const base = '/api/v1/validation-operations/public-apex';

export const publicApexRoutes = defineRoutes({
  listPublicAppliances: get(base, {
    operation: 'List Public Apex Appliances',
    summary: "List the provider's Apex appliances, newest first",
    description: 'Lists the appliances of your organization. A `public` appliance takes tasks of every organization.',
    access: manager,
    query: Listing,
    response: pageOf(PublicApexAppliance),
  }),
  getPublicAppliance: get(`${base}/{id}`, {
    operation: 'Get Public Apex Appliance',
    summary: "Read one of the provider's Apex appliances",
    description:
      'Reads any appliance of your organization, even if it is not `public`. `runningTasks` counts the tasks of all clients that ' +
      'the appliance holds.',
    access: manager,
    response: PublicApexAppliance,
  }),
  updatePublicAppliance: patch(`${base}/{id}`, {
    operation: 'Update Public Apex Appliance',
    summary: "Change the settings of one of the provider's Apex appliances",
    description:
      'With `public: true` the appliance works for all organizations: from its next poll on, it takes only tasks of campaigns with ' +
      '`usePublicApex`, from one organization after the other. Only the client sees the work that is done for it. `enabled: false` ' +
      'drains the appliance: it finishes its tasks and gets no new tasks.',
    access: manager,
    body: patchBody(PublicApexAppliance),
    response: PublicApexAppliance,
  }),
  deletePublicAppliance: remove(`${base}/{id}`, {
    operation: 'Delete Public Apex Appliance',
    summary: "Remove one of the provider's Apex appliances",
    description: "The appliance's credential is revoked within a minute, and its tasks wait for another appliance.",
    access: manager,
    response: Deletion,
  }),
});
