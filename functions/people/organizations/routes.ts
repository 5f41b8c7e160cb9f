import * as z from 'zod';
import { ORGANIZATION_STATUSES } from '#shared/credentials/organization.ts';
import { User } from '#shared/people/user.ts';
import { manager, platformOwner } from '#shared/platform/auth/access.ts';
import { Listing, numberIn, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Id, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post } from '#shared/platform/http/route.ts';
import { maintenanceRoutes } from './maintenance-routes.ts';
import { Organization, OrganizationListItem, OrganizationOverview } from './records.ts';
import { organizationTemplateRoutes } from './template-routes.ts';

const path = '/api/v1/organizations';

const ofStatus = { status: z.enum(ORGANIZATION_STATUSES).optional() };

/** Clients of a page of the overview: each costs five queries. */
const MAX_OVERVIEW = 100;

const Overview = Listing.extend({
  ...ofStatus,
  paginateSize: numberIn(z.int().min(1).max(MAX_OVERVIEW)).default(50).meta({ description: 'clients per page' }),
});

export const organizationRoutes = defineRoutes({
  ...maintenanceRoutes,
  ...organizationTemplateRoutes,
  listOrganizations: get(path, {
    summary: 'List the organizations of the deployment, newest first',
    description: 'For managers.',
    access: manager,
    query: Listing.extend(ofStatus),
    response: pageOf(OrganizationListItem),
  }),
  searchOrganizations: get(`${path}/search`, {
    summary: 'Search the organizations of the deployment by name and short name',
    description: 'For managers.',
    access: manager,
    query: SearchQuery.extend(ofStatus),
    response: searchPageOf(OrganizationListItem),
  }),
  getOrganizationOverview: get(`${path}/overview`, {
    summary: 'Compare the organizations of the deployment by their figures, newest organization first',
    description:
      'For managers. Each figure equals that of the dashboards of the organization. It comes from counters: the service reads no ' +
      'record of a client, and five queries for each client of the page, however large the client is. For that reason no ' +
      'figure orders the list: that would need the figures of all clients.',
    access: manager,
    query: Overview,
    response: pageOf(OrganizationOverview),
  }),
  getOrganization: get(`${path}/{id}`, {
    summary: 'Read an organization with its limits and figures',
    description: 'For managers. `GET /api/v1/organizations/{id}/deletion` has the steps of a deletion.',
    access: manager,
    response: Organization,
  }),
  createOrganization: post(path, {
    summary: 'Create an organization and invite its first administrator',
    description:
      'For platform owners. With `templateId` the organization starts with the parts of the template, which `template` of the ' +
      'answer names; if a part cannot be applied, there is no organization. The owner gets an invitation by e-mail, as its administrator. Without a `slug` the service makes one of the name.',
    access: platformOwner,
    body: createBody(Organization.omit({ limits: true }), {
      owner: User.pick({ email: true, name: true })
        .strict()
        .meta({ description: 'the first administrator, who is invited by e-mail' }),
      templateId: Id.optional().meta({ description: 'a template of `GET /api/v1/organizations/all/templates`' }),
    }).meta({ example: { name: 'Acme', owner: { email: 'ana@example.org', name: 'Ana Lima' } } }),
    response: Organization,
  }),
  updateOrganization: patch(`${path}/{id}`, {
    summary: 'Change the name, short name, plan or limits of an organization',
    description:
      'For platform owners. A merge patch; null restores the default of a limit. A lower limit removes nothing that the ' +
      'organization already has.',
    access: platformOwner,
    body: patchBody(Organization),
    response: Organization,
  }),
});
