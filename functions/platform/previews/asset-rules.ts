import type * as z from 'zod';
import { applications, type StoredApplication } from '#shared/exposure/applications/application.ts';
import { checkedExclusion } from '#shared/exposure/asset-links/exclusions.ts';
import {
  type ApplicationAssetExclusion,
  applicationExclusions,
} from '#shared/exposure/asset-rules/application-exclusion.ts';
import {
  ApplicationAssetRule,
  applicationRules,
  type StoredApplicationRule,
} from '#shared/exposure/asset-rules/application-rule.ts';
import type { Concerned } from '#shared/exposure/asset-rules/apply.ts';
import { AssetTagRule, assetTagRules, type StoredTagRule } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { withCondition } from '#shared/exposure/asset-rules/condition.ts';
import type { RuleDraft } from '#shared/exposure/asset-rules/draft.ts';
import { assertPlace, ruleOf } from '#shared/exposure/asset-rules/place.ts';
import { ruleChanges } from '#shared/exposure/asset-rules/progress.ts';
import type { ManyRequest } from '#shared/findings/bulk/queue.ts';
import type { AssetCondition } from '#shared/platform/filter/schema.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Stored } from '#shared/platform/table/entity.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assertNoTicketRule } from '#shared/ticketing/uses.ts';
import type { Tasks } from './tasks.ts';

const applying = (drafts: RuleDraft[], concerned: Partial<z.input<typeof Concerned>>): ManyRequest => ({
  operation: 'apply_asset_rules',
  unit: 'assets',
  input: { ruleIds: [], conditions: [], ...concerned, drafts },
});

type Rule = Stored & { enabled?: boolean; condition: AssetCondition | null };

/** One rule or exclusion as it would be. */
const saving = (of: string, record: Rule): ManyRequest => {
  const conditions = record.condition && record.enabled !== false ? [record.condition] : [];
  return applying([{ of, id: record.id, record }], { ruleIds: [record.id], conditions });
};

const removing = (of: string, id: string): ManyRequest => applying([{ of, id, record: null }], { ruleIds: [id] });

async function exclusionIn(table: Table, applicationId: string, id: string): Promise<ApplicationAssetExclusion> {
  const exclusion = await table.get(applicationExclusions, id);
  if (exclusion.applicationId !== applicationId) throw notFound('application exclusion', id);
  return exclusion;
}

/** Changes that bring assets to other rules. */
export const assetRuleTasks = {
  async createAssetTagRule({ table }, { body }) {
    const named = await withCondition(table, body);
    const id = newId();
    return saving(assetTagRules.name, table.stamp<StoredTagRule>({ ...named, id, taskId: id }));
  },

  async updateAssetTagRule({ table }, { id, body: patch }) {
    const before = await table.get(assetTagRules, id, true);
    return saving(assetTagRules.name, { ...before, ...(await ruleChanges(table, AssetTagRule, { before, patch })) });
  },

  async deleteAssetTagRule({ table }, { id }) {
    await table.get(assetTagRules, id);
    return removing(assetTagRules.name, id);
  },

  async createAssetRule({ table }, { id: applicationId, body }) {
    await assertPlace(table, applicationId, body.environmentId);
    const named = await withCondition(table, body);
    const id = newId();
    const rule = table.stamp<StoredApplicationRule>({ ...named, id, applicationId, taskId: id });
    return saving(applicationRules.name, rule);
  },

  async updateAssetRule({ table }, { body: patch, ...place }) {
    const before = await ruleOf(table, place);
    const changes = await ruleChanges(table, ApplicationAssetRule, { before, patch });
    await assertPlace(table, place.id, changes?.environmentId);
    return saving(applicationRules.name, { ...before, ...changes });
  },

  async deleteAssetRule({ table }, place) {
    return removing(applicationRules.name, (await ruleOf(table, place)).id);
  },

  async createAssetExclusion({ table }, { id: applicationId, body }) {
    await table.get(applications, applicationId);
    const checked = await checkedExclusion(table, body);
    const draft = { ...checked, id: newId(), applicationId, taskId: null };
    return saving(applicationExclusions.name, table.stamp<ApplicationAssetExclusion>(draft));
  },

  async deleteAssetExclusion({ table }, { id, exclusion_id: exclusionId }) {
    await exclusionIn(table, id, exclusionId);
    return removing(applicationExclusions.name, exclusionId);
  },

  async deleteApplication({ table }, { id }) {
    await table.get(applications, id);
    await assertNoTicketRule(table, id);
    return applying([{ of: applications.name, id, record: null }], { applicationIds: [id] });
  },

  async deleteEnvironment({ table }, { id, env_id: environmentId }) {
    const application = await table.get(applications, id);
    const environments = application.environments.filter((one) => one.id !== environmentId);
    if (environments.length === application.environments.length) throw notFound('environment', environmentId);
    const record: StoredApplication = { ...application, environments };
    return applying([{ of: applications.name, id, record }, ...(await without(table, id, environmentId))], {
      applicationIds: [id],
    });
  },
} satisfies Partial<Tasks>;

/** The rules of an application that name an environment, without its name. */
async function without(table: Table, application: string, environmentId: string): Promise<RuleDraft[]> {
  const rules = await recordsOf(table, applicationRules, { parent: { application } });
  const naming = rules.filter((rule) => rule.environmentId === environmentId);
  return naming.map((rule) => ({ of: applicationRules.name, id: rule.id, record: { ...rule, environmentId: null } }));
}
