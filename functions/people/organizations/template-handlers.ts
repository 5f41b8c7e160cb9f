import { assertTemplate } from '#shared/organizations/apply-template.ts';
import { OrganizationTemplate, organizationTemplates } from '#shared/organizations/organization-template.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import type { organizationTemplateRoutes } from './template-routes.ts';

const shared = (table: Table): Table => inOrganization(table, GLOBAL_SCOPE);

export const organizationTemplateHandlers: Handlers<typeof organizationTemplateRoutes> = {
  listOrganizationTemplates: ({ table, query }) => shared(table).list(organizationTemplates, query),

  getOrganizationTemplate: ({ table, params }) => shared(table).get(organizationTemplates, params.id),

  async createOrganizationTemplate({ table, caller, body }) {
    await assertTemplate(body, caller);
    return shared(table).create(organizationTemplates, body);
  },

  updateOrganizationTemplate: ({ table, caller, params, body, ifMatch }) =>
    retry(async () => {
      const before = await shared(table).get(organizationTemplates, params.id, true);
      const changes = mergePatch(OrganizationTemplate, before, { patch: body, ifMatch });
      if (!changes) return before;
      await assertTemplate({ ...before, ...changes }, caller);
      return shared(table).update(organizationTemplates, before, changes);
    }),

  deleteOrganizationTemplate: async ({ table, params }) =>
    shared(table).delete(organizationTemplates, await shared(table).get(organizationTemplates, params.id, true)),
};
