import { OrganizationTemplate } from '#shared/organizations/organization-template.ts';
import { manager, platformOwner } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/organizations/all/templates';

const { settings, slaPolicies, suppressionRules, assetTagRules, savedFilters, ...listed } = OrganizationTemplate.shape;
const OrganizationTemplateListItem = objectNamed('OrganizationTemplateListItem', listed);

export const organizationTemplateRoutes = defineRoutes({
  listOrganizationTemplates: get(path, {
    summary: 'List the templates of organizations, newest first',
    description: 'For managers. The list has no parts; read a template for these.',
    access: manager,
    query: Listing,
    response: pageOf(OrganizationTemplateListItem),
  }),
  getOrganizationTemplate: get(`${path}/{id}`, {
    summary: 'Read a template of organizations',
    description: 'For managers.',
    access: manager,
    response: OrganizationTemplate,
  }),
  createOrganizationTemplate: post(path, {
    summary: 'Create a template: settings, SLA policies, rules and saved filters with which organizations start',
    description:
      'For platform owners. Each part is the body of the operation that creates or changes it, and is checked in the same way. A ' +
      'suppression rule of a template accepts no risk, because only the organization can do that, and does not expire. ' +
      '`POST /api/v1/organizations` with `templateId` applies the template.',
    access: platformOwner,
    body: createBody(OrganizationTemplate),
    response: OrganizationTemplate,
  }),
  updateOrganizationTemplate: patch(`${path}/{id}`, {
    summary: 'Change a template of organizations',
    description: 'For platform owners. A merge patch; lists are replaced whole. Existing organizations do not change.',
    access: platformOwner,
    body: patchBody(OrganizationTemplate),
    response: OrganizationTemplate,
  }),
  deleteOrganizationTemplate: remove(`${path}/{id}`, {
    summary: 'Delete a template of organizations',
    description: 'For platform owners. Existing organizations do not change.',
    access: platformOwner,
    response: Deletion,
  }),
});
