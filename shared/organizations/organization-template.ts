import * as z from 'zod';
import { OrganizationSettings } from '#shared/credentials/organization-settings.ts';
import { AssetTagRule } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { SlaPolicies } from '#shared/findings/sla/sla-policies.ts';
import { SuppressionRule } from '#shared/findings/suppression/suppression-rule.ts';
import { SavedFilter } from '#shared/platform/filter/saved-filter.ts';
import { createBody, objectNamed, patchBody, recordFields, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

const MAX_OF_A_KIND = 20;

/**
 * A rule as its operation creates it. The provider accepts no risk for a client, and knows no saved filter of it; a time at
 * which each client's rule ends would lie in the past for the next client.
 */
const TemplateRule = createBody(SuppressionRule)
  .omit({ filterId: true, expiresAt: true })
  .extend({ status: z.enum(['false_positive', 'out_of_scope']) });

const listOf = <T extends z.ZodType>(item: T) => z.array(item).max(MAX_OF_A_KIND).default([]);

/** Templates of organizations; each part has the body of the operation that creates or changes it. */
export const OrganizationTemplate = objectNamed('OrganizationTemplate', {
  ...recordFields,
  name: trimmedText(120).meta({ example: 'Retail clients' }),
  description: z.string().trim().max(1000).default(''),
  settings: patchBody(OrganizationSettings)
    .default({})
    .meta({ description: 'settings that differ from their defaults', example: { assetStaleDays: 14 } }),
  slaPolicies: createBody(SlaPolicies)
    .nullable()
    .default(null)
    .meta({ description: 'null: the default policies', example: null }),
  suppressionRules: listOf(TemplateRule),
  assetTagRules: listOf(createBody(AssetTagRule).omit({ filterId: true })),
  savedFilters: listOf(createBody(SavedFilter).omit({ visibility: true })).meta({
    description: 'everybody of the organization sees these filters',
  }),
});
export type OrganizationTemplate = z.infer<typeof OrganizationTemplate>;

/** The templates of the deployment, in the global partition. */
export const organizationTemplates = defineEntity<OrganizationTemplate, Part>(OrganizationTemplate, {
  name: 'organization-template',
  search: ({ name, description }) => [name, description],
  detail: ['settings', 'slaPolicies', 'suppressionRules', 'assetTagRules', 'savedFilters'],
});
type Part = 'settings' | 'slaPolicies' | 'suppressionRules' | 'assetTagRules' | 'savedFilters';
