import { withProgress } from '#shared/asset-rules/progress.ts';
import { removeRule, saveRule } from '#shared/asset-rules/save.ts';
import { AssetTagRule, assetTagRules, type StoredTagRule } from '#shared/entities/asset-tag-rule.ts';
import { showPage } from '#shared/http/pagination.ts';
import { mergePatch } from '#shared/http/records.ts';
import type { Call, Handlers } from '#shared/http/route.ts';
import { now } from '#shared/runtime/clock.ts';
import { conflict } from '#shared/runtime/errors.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Table } from '#shared/table/table.ts';
import { previewTags } from './preview.ts';
import type { assetTagRuleRoutes } from './routes.ts';

/** Every asset that changes is compared with all rules. */
const MAX_RULES = 100;

async function shown(table: Table, rule: StoredTagRule): Promise<AssetTagRule> {
  const [view] = await withProgress(table, [rule]);
  if (!view) throw new Error(`no view of the rule ${rule.id}`);
  return view;
}

async function createRule({ connections, table, body }: Call<typeof assetTagRuleRoutes.createAssetTagRule>) {
  const { totalCount } = await table.list(assetTagRules, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_RULES) throw conflict(`An organization has at most ${MAX_RULES} rules: delete one first.`);
  const [id = ''] = await table.reserve(assetTagRules, 1);
  const rule = table.stamp<StoredTagRule>({ ...body, id, taskId: id });
  return shown(table, await saveRule({ connections, table }, assetTagRules, { after: rule }));
}

const updateRule = ({
  connections,
  table,
  params,
  body,
  ifMatch,
}: Call<typeof assetTagRuleRoutes.updateAssetTagRule>) =>
  retry(async () => {
    const before = await table.get(assetTagRules, params.id, true);
    const changes = mergePatch(AssetTagRule, await shown(table, before), { patch: body, ifMatch });
    if (!changes) return shown(table, before);
    const after = table.changed<StoredTagRule, never>(before, changes);
    return shown(table, await saveRule({ connections, table }, assetTagRules, { before, after }));
  });

export const assetTagRuleHandlers: Handlers<typeof assetTagRuleRoutes> = {
  listAssetTagRules: ({ table, query }) =>
    showPage(table.list(assetTagRules, query), (rules) => withProgress(table, rules)),
  createAssetTagRule: createRule,
  previewAssetTagRule: ({ table, body }) => previewTags(table, body),
  getAssetTagRule: async ({ table, params }) => shown(table, await table.get(assetTagRules, params.id)),
  updateAssetTagRule: updateRule,
  deleteAssetTagRule: ({ connections, table, params }) =>
    retry(async () => {
      const before = await table.get(assetTagRules, params.id, true);
      await removeRule({ connections, table }, assetTagRules, before);
      return { id: before.id, deletedAt: now() };
    }),
};
