import * as z from 'zod';
import { AssetTagRule } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { previewFields } from '#shared/exposure/asset-rules/preview.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';

const path = '/api/v1/asset-tag-rules';
const analyst = { role: 'analyst' } as const;

const AssetTagRulePreview = z
  .object({
    ...previewFields,
    newlyTagged: z.int().meta({ description: 'of these, those that lack one of the tags' }),
    alreadyTagged: z.int(),
  })
  .meta({ id: 'AssetTagRulePreview' });

export const assetTagRuleRoutes = defineRoutes({
  listAssetTagRules: {
    method: 'GET',
    path,
    summary: 'List the rules that give tags to assets, newest first',
    description:
      'With disabled ones. An asset that meets several rules gets the tags of all, 15 at most, those of older rules first.',
    access: reads('assets:read'),
    query: Pagination,
    response: pageOf(AssetTagRule),
  },
  createAssetTagRule: {
    method: 'POST',
    path,
    summary: 'Give tags to all assets that meet a condition',
    description:
      'The assets that stand get them by the task `taskId`, others within a minute after they appear or change. The tags stand in `ruleTags` of ' +
      'an asset, apart from those of people (`tags`), and count as those do: in filters, SLA policies, suppression rules and searches. ' +
      'An asset that does not meet the condition any more loses them. An organization has at most 100 rules.',
    access: analyst,
    body: createBody(AssetTagRule),
    response: AssetTagRule,
  },
  previewAssetTagRule: {
    method: 'POST',
    path: `${path}/preview`,
    summary: 'Count the assets that a rule would tag',
    description: 'Takes the body of a new rule and changes nothing.',
    access: reads('assets:read'),
    body: createBody(AssetTagRule),
    response: AssetTagRulePreview,
  },
  getAssetTagRule: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a rule that gives tags to assets',
    description: 'Its assets: `GET /api/v1/assets?tag=<tag>`.',
    access: reads('assets:read'),
    response: AssetTagRule,
  },
  updateAssetTagRule: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change a rule that gives tags to assets',
    description:
      'A merge patch; `condition` and `tags` are replaced whole. A task (`taskId`) brings the assets to what the rule says.',
    access: analyst,
    body: patchBody(AssetTagRule),
    response: AssetTagRule,
  },
  deleteAssetTagRule: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a rule that gives tags to assets',
    description: 'A task takes its tags from the assets. Those that people or other rules gave stay.',
    access: analyst,
    response: Deletion,
  },
});
