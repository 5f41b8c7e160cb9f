import * as z from 'zod';
import { AssetTagRule, AssetTagRuleCreate } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { previewFields } from '#shared/exposure/asset-rules/preview.ts';
import { analystOf, reads } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/asset-tag-rules';
const analyst = analystOf('assets');

const AssetTagRulePreview = objectNamed('AssetTagRulePreview', {
  ...previewFields,
  newlyTagged: z.int().meta({ description: 'of these, those that lack one of the tags' }),
  alreadyTagged: z.int(),
});

/** Why a role for a part of the organization does not open these operations. */
const closedToPart = 'a rule decides about all assets';

export const assetTagRuleRoutes = defineRoutes({
  listAssetTagRules: get(path, {
    summary: 'List the rules that give tags to assets, newest first',
    description:
      'The list includes disabled rules. An asset that meets several rules gets the tags of all these rules: at most 15 tags, tags ' +
      'of older rules first.',
    access: reads('assets:read'),
    closedToPart,
    query: Listing,
    response: pageOf(AssetTagRule),
  }),
  createAssetTagRule: post(path, {
    summary: 'Create a rule that gives tags to all assets that meet a condition',
    description:
      'The task `taskId` tags existing assets; other assets get the tags within a minute after they appear or change. The tags are ' +
      'in `ruleTags` of an asset, separate from the tags of people (`tags`), and work in the same way in filters, SLA policies, ' +
      'suppression rules and searches. An asset that no longer meets the condition loses the tags. An organization has at most 100 ' +
      'rules.',
    access: analyst,
    closedToPart,
    body: AssetTagRuleCreate,
    response: AssetTagRule,
  }),
  previewAssetTagRule: post(`${path}/preview`, {
    summary: 'Count the assets that a rule would tag',
    description: 'Send the body of a new rule; the request changes nothing.',
    access: reads('assets:read'),
    closedToPart,
    readOnly: true,
    body: AssetTagRuleCreate,
    response: AssetTagRulePreview,
  }),
  getAssetTagRule: get(`${path}/{id}`, {
    summary: 'Read a rule that gives tags to assets',
    description: '`GET /api/v1/assets?tag=<tag>` lists the assets with a tag of the rule.',
    access: reads('assets:read'),
    closedToPart,
    response: AssetTagRule,
  }),
  updateAssetTagRule: patch(`${path}/{id}`, {
    summary: 'Change a rule that gives tags to assets',
    description:
      'A merge patch; `condition` and `tags` are replaced whole. A task (`taskId`) applies the changed rule to the assets.',
    access: analyst,
    closedToPart,
    body: patchBody(AssetTagRule),
    response: AssetTagRule,
  }),
  deleteAssetTagRule: remove(`${path}/{id}`, {
    summary: 'Delete a rule that gives tags to assets',
    description: 'A task removes the tags of the rule from the assets. Tags from people or other rules stay.',
    access: analyst,
    closedToPart,
    response: Deletion,
  }),
});
