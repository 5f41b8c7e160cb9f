import { AssetTagRule, assetTagRules, type StoredTagRule } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { withCondition } from '#shared/exposure/asset-rules/condition.ts';
import { ruleChanges, shownRule, withProgress } from '#shared/exposure/asset-rules/progress.ts';
import { changeRule, removeRule, saveRule } from '#shared/exposure/asset-rules/save.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { fixedLimit } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { previewTags } from './preview.ts';
import type { assetTagRuleRoutes } from './routes.ts';

/** Every asset that changes is compared with all rules. */
const MAX_RULES = 100;

async function createRule({ connections, table, body }: Call<typeof assetTagRuleRoutes.createAssetTagRule>) {
  const named = await withCondition(table, body);
  const { totalCount } = await table.list(assetTagRules, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_RULES) throw fixedLimit('An organization', MAX_RULES, 'rules');
  const [id = ''] = await table.reserve(assetTagRules, 1);
  const rule = table.stamp<StoredTagRule>({ ...named, id, taskId: id });
  return shownRule(table, await saveRule({ connections, table }, assetTagRules, { after: rule }));
}

async function updateRule(call: Call<typeof assetTagRuleRoutes.updateAssetTagRule>) {
  const { connections, table, params, body: patch, ifMatch } = call;
  const changed = await changeRule({ connections, table }, assetTagRules, {
    read: () => table.get(assetTagRules, params.id, true),
    changesOf: (before) => ruleChanges(table, AssetTagRule, { before, patch, ifMatch }),
  });
  return shownRule(table, changed);
}

export const assetTagRuleHandlers: Handlers<typeof assetTagRuleRoutes> = {
  listAssetTagRules: ({ table, query }) =>
    showPage(table.list(assetTagRules, query), (rules) => withProgress(table, rules)),
  createAssetTagRule: createRule,
  previewAssetTagRule: async ({ table, body }) => previewTags(table, await withCondition(table, body)),
  getAssetTagRule: async ({ table, params }) => shownRule(table, await table.get(assetTagRules, params.id)),
  updateAssetTagRule: updateRule,
  deleteAssetTagRule: ({ connections, table, params }) =>
    retry(async () => {
      const before = await table.get(assetTagRules, params.id, true);
      await removeRule({ connections, table }, assetTagRules, before);
      return { id: before.id, deletedAt: now() };
    }),
};
