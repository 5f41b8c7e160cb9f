import { applications } from '#shared/exposure/applications/application.ts';
import {
  ApplicationAssetRule,
  applicationRules,
  type StoredApplicationRule,
} from '#shared/exposure/asset-rules/application-rule.ts';
import { withCondition } from '#shared/exposure/asset-rules/condition.ts';
import { assertPlace, ruleOf } from '#shared/exposure/asset-rules/place.ts';
import { ruleChanges, shownRule, withProgress } from '#shared/exposure/asset-rules/progress.ts';
import { changeRule, removeRule, saveRule } from '#shared/exposure/asset-rules/save.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { fixedLimit } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { existsCheck } from '#shared/platform/table/exists-check.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { previewLinks } from './preview.ts';
import type { applicationRuleRoutes } from './routes.ts';

const MAX_RULES = 20;
/** Every asset that changes is compared with all rules of an organization. */
const MAX_OF_ALL = 500;

async function assertRoom(table: Table, application: string): Promise<void> {
  const page = { paginateFrom: 0, paginateSize: 1 };
  const [own, all] = await Promise.all([
    table.list(applicationRules, { ...page, parent: { application } }),
    table.list(applicationRules, page),
  ]);
  if (own.totalCount >= MAX_RULES) throw fixedLimit('An application', MAX_RULES, 'rules');
  if (all.totalCount >= MAX_OF_ALL) throw fixedLimit('An organization', MAX_OF_ALL, 'rules of applications');
}

async function createRule({ connections, table, params, body }: Call<typeof applicationRuleRoutes.createAssetRule>) {
  await assertPlace(table, params.id, body.environmentId);
  const named = await withCondition(table, body);
  await assertRoom(table, params.id);
  const [id = ''] = await table.reserve(applicationRules, 1);
  const after = table.stamp<StoredApplicationRule>({ ...named, id, applicationId: params.id, taskId: id });
  const also = [existsCheck(table, applications, params.id)];
  return shownRule(table, await saveRule({ connections, table }, applicationRules, { after, also }));
}

async function updateRule(call: Call<typeof applicationRuleRoutes.updateAssetRule>) {
  const { connections, table, params, body: patch, ifMatch } = call;
  const changed = await changeRule({ connections, table }, applicationRules, {
    read: () => ruleOf(table, params),
    async changesOf(before) {
      const changes = await ruleChanges(table, ApplicationAssetRule, { before, patch, ifMatch });
      if (changes) await assertPlace(table, params.id, changes.environmentId);
      return changes;
    },
    also: () => [existsCheck(table, applications, params.id)],
  });
  return shownRule(table, changed);
}

export const applicationRuleHandlers: Handlers<typeof applicationRuleRoutes> = {
  async listAssetRules({ table, params, query }) {
    await table.get(applications, params.id);
    const page = table.list(applicationRules, { ...query, parent: { application: params.id } });
    return showPage(page, (rules) => withProgress(table, rules));
  },
  createAssetRule: createRule,
  async previewAssetRule({ table, params, body }) {
    await assertPlace(table, params.id, body.environmentId);
    return previewLinks(table, params.id, await withCondition(table, body));
  },
  updateAssetRule: updateRule,
  deleteAssetRule: ({ connections, table, params }) =>
    retry(async () => {
      const before = await ruleOf(table, params);
      await removeRule({ connections, table }, applicationRules, before);
      return { id: before.id, deletedAt: now() };
    }),
};
