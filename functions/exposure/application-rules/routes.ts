import * as z from 'zod';
import { ApplicationAssetRule, ApplicationAssetRuleCreate } from '#shared/exposure/asset-rules/application-rule.ts';
import { previewFields } from '#shared/exposure/asset-rules/preview.ts';
import { analystOf, reads } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/software/applications/{id}/asset-rules';
const analyst = analystOf('assets');

const RulePreview = objectNamed('ApplicationAssetRulePreview', {
  ...previewFields,
  newlyLinked: z.int(),
  alreadyLinked: z.int().meta({ description: 'by people or rules' }),
  excluded: z.int().meta({ description: 'kept out by exclusions, and not linked by people' }),
});

/** Why a role for a part of the organization does not open these operations. */
const closedToPart = 'a rule decides about all assets, also about those that it would bring into your part';

export const applicationRuleRoutes = defineRoutes({
  listAssetRules: get(path, {
    operation: 'List Asset Rules',
    summary: 'List the rules that link assets to an application, newest first',
    description:
      'The list includes disabled rules. `matchCount` counts the assets that meet the condition of a rule, even if the rule does ' +
      'not link them.',
    access: reads('assets:read'),
    closedToPart,
    query: Listing,
    response: pageOf(ApplicationAssetRule),
  }),
  createAssetRule: post(path, {
    operation: 'Create Asset Rule',
    summary: 'Create a rule that links all assets that meet a condition to an application',
    description:
      'The task `taskId` links existing assets; other assets are linked within a minute after they appear or change. An asset that ' +
      'no longer meets the condition loses the link. Exclusions override rules, and links by people stay. If an asset meets ' +
      'several rules, the oldest rule links it. An application has at most 20 rules, an organization at most 500.',
    access: analyst,
    closedToPart,
    body: ApplicationAssetRuleCreate,
    response: ApplicationAssetRule,
  }),
  previewAssetRule: post(`${path}/preview`, {
    operation: 'Preview Asset Rule',
    summary: 'Count the assets that a rule would link',
    description: 'Send the body of a new rule; the request changes nothing.',
    access: reads('assets:read'),
    closedToPart,
    readOnly: true,
    body: ApplicationAssetRuleCreate,
    response: RulePreview,
  }),
  updateAssetRule: patch(`${path}/{rule_id}`, {
    operation: 'Update Asset Rule',
    summary: 'Change a rule of an application',
    description:
      'A merge patch; `condition` is replaced whole. A task (`taskId`) applies the changed rule to the assets.',
    access: analyst,
    closedToPart,
    body: patchBody(ApplicationAssetRule),
    response: ApplicationAssetRule,
  }),
  deleteAssetRule: remove(`${path}/{rule_id}`, {
    operation: 'Delete Asset Rule',
    summary: 'Delete a rule of an application',
    description: 'A task removes the links of the rule. Links by other rules or people stay.',
    access: analyst,
    closedToPart,
    response: Deletion,
  }),
});
