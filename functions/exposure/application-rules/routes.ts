import * as z from 'zod';
import { ApplicationAssetRule } from '#shared/exposure/asset-rules/application-rule.ts';
import { previewFields } from '#shared/exposure/asset-rules/preview.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';

const path = '/api/v1/software/applications/{id}/asset-rules';
const analyst = { role: 'analyst' } as const;

const RuleCreate = createBody(ApplicationAssetRule).meta({ id: 'ApplicationAssetRuleCreate' });

const RulePreview = z
  .object({
    ...previewFields,
    newlyLinked: z.int(),
    alreadyLinked: z.int().meta({ description: 'by people or rules' }),
    excluded: z.int().meta({ description: 'kept out by exclusions, and not linked by people' }),
  })
  .meta({ id: 'ApplicationAssetRulePreview' });

export const applicationRuleRoutes = defineRoutes({
  listAssetRules: {
    method: 'GET',
    path,
    operation: 'List Asset Rules',
    summary: 'List the rules that link assets to an application, newest first',
    description:
      'With disabled ones. `matchCount` of each counts the assets that meet its condition, linked by it or not.',
    access: reads('assets:read'),
    query: Pagination,
    response: pageOf(ApplicationAssetRule),
  },
  createAssetRule: {
    method: 'POST',
    path,
    operation: 'Create Asset Rule',
    summary: 'Link all assets that meet a condition to an application',
    description:
      'The assets that stand are linked by the task `taskId`, others within a minute after they appear or change; an asset that does not meet the ' +
      'condition any more loses the link. Exclusions win over rules, links of people stay. Of several rules that an asset meets the oldest ' +
      'links it. An application has at most 20 rules, an organization 500.',
    access: analyst,
    body: RuleCreate,
    response: ApplicationAssetRule,
  },
  previewAssetRule: {
    method: 'POST',
    path: `${path}/preview`,
    operation: 'Preview Asset Rule',
    summary: 'Count the assets that a rule would link',
    description: 'Takes the body of a new rule and changes nothing.',
    access: reads('assets:read'),
    body: RuleCreate,
    response: RulePreview,
  },
  updateAssetRule: {
    method: 'PATCH',
    path: `${path}/{rule_id}`,
    operation: 'Update Asset Rule',
    summary: 'Change a rule of an application',
    description:
      'A merge patch; `condition` is replaced whole. A task (`taskId`) brings the assets to what the rule says.',
    access: analyst,
    body: patchBody(ApplicationAssetRule),
    response: ApplicationAssetRule,
  },
  deleteAssetRule: {
    method: 'DELETE',
    path: `${path}/{rule_id}`,
    operation: 'Delete Asset Rule',
    summary: 'Delete a rule of an application',
    description: 'A task takes its links. Those that other rules or people make stay.',
    access: analyst,
    response: Deletion,
  },
});
