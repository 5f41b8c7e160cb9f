import { assets } from '#shared/assets/asset/asset.ts';
import { assertMergeable } from '#shared/exposure/asset-actions/merge.ts';
import { retiredSince } from '#shared/exposure/asset-actions/retire.ts';
import { mergeUndo } from '#shared/exposure/asset-actions/undo.ts';
import { changedAsset } from '#shared/exposure/asset-actions/update.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { endOf } from '#shared/findings/bulk/branch-end.ts';
import { answerPreview } from '#shared/findings/bulk/preview.ts';
import type { ManyRequest } from '#shared/findings/bulk/queue.ts';
import { UNDOES, type UndoName, undoRequest } from '#shared/findings/bulk/undo-update.ts';
import { readPolicies, SlaPolicies, withSavedExceptions } from '#shared/findings/sla/sla-policies.ts';
import { assertConditions } from '#shared/findings/suppression/stored.ts';
import { SuppressionRule, suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { importUndo } from '#shared/ingest/undo.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { type Caller, isAllowed, refusalOf, type Scope } from '#shared/platform/auth/permissions.ts';
import { withSaved } from '#shared/platform/filter/rule.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { assetRuleTasks } from './asset-rules.ts';
import type { Change, previewRoutes } from './routes.ts';
import type { Asking, Of, Tasks } from './tasks.ts';

const undoing =
  (name: UndoName) =>
  ({ table }: Asking, { taskId }: Of<UndoName>): Promise<ManyRequest> =>
    undoRequest(table, UNDOES[name], taskId);

/** The task that makes each change, with its input as it would be once the request is done. */
const tasks: Tasks = {
  ...assetRuleTasks,
  undoFindingsUpdate: undoing('undoFindingsUpdate'),
  undoVulnerabilitiesUpdate: undoing('undoVulnerabilitiesUpdate'),
  undoExposedCredentialsUpdate: undoing('undoExposedCredentialsUpdate'),
  undoAlertsUpdate: undoing('undoAlertsUpdate'),
  undoIncidentsUpdate: undoing('undoIncidentsUpdate'),
  undoImport: (asking, { taskId }) => importUndo(asking, taskId),

  async createFindingRule({ table, caller: { id: authorId, name } }, { body }) {
    const named = await withSaved(table, 'finding', { rule: body, given: body });
    await assertConditions(named, 'body.');
    const id = newId();
    const draft = table.stamp<SuppressionRule>({ ...named, id, approver: { id: authorId, name }, taskId: id });
    return applying(id, draft);
  },

  async updateFindingRule({ table }, { id, body }) {
    const before = await table.get(suppressionRules, id);
    const changes = mergePatch(SuppressionRule, before, { patch: body }) ?? {};
    const draft = await withSaved(table, 'finding', { rule: { ...before, ...changes }, given: changes });
    await assertConditions(draft, 'body.');
    return applying(id, draft);
  },

  async deleteFindingRule({ table }, { id }) {
    await table.get(suppressionRules, id);
    return applying(id, null);
  },

  async updateSlaPolicies({ table }, { body }) {
    const before = await readPolicies(table);
    const changes = mergePatch(SlaPolicies, before, { patch: body }) ?? {};
    const policies = { ...before, ...(await withSavedExceptions(table, changes, 'body.')) };
    return { operation: 'redate_findings', input: { policies } };
  },

  async updateAsset(asking, { id, body }) {
    const { next } = await changedAsset(asking, { id, patch: body, ifMatch: undefined });
    return { operation: 'apply_asset_change', input: { assetIds: [id], draft: next } };
  },

  async mergeAssets({ table }, { id: assetId, body: { intoId } }) {
    await assertMergeable(table, { assetId, intoId });
    return { operation: 'merge_assets', input: { assetId, intoId } };
  },

  undoAssetMerge: ({ table }, { taskId }) => mergeUndo(table, taskId),

  async returnAsset({ table }, { id }) {
    await retiredSince(table, id);
    return { operation: 'return_assets', input: { assetIds: [id] } };
  },

  async retireAsset({ table }, { id }) {
    await table.get(assets, id);
    return { operation: 'retire_assets', input: { assetIds: [id] } };
  },

  async deleteAsset({ table }, { id }) {
    await table.get(assets, id);
    return { operation: 'delete_asset', input: { assetId: id } };
  },

  endBranch: async ({ table }, { id }) => endOf(await table.get(branches, id)),
};

const applying = (ruleId: string, draft: SuppressionRule | null): ManyRequest => ({
  operation: 'apply_suppression_rule',
  input: { ruleId, draft },
});

const taskOf = <O extends Change['operation']>(asking: Asking, change: Of<O> & { operation: O }) =>
  tasks[change.operation](asking, change);

/** The scopes of changes that are about neither findings nor assets. */
const SCOPES: Partial<Record<Change['operation'], Scope>> = {
  undoVulnerabilitiesUpdate: 'vulnerabilities:read',
  undoAlertsUpdate: 'soc:read',
  undoIncidentsUpdate: 'soc:read',
};

/** @throws insufficient_scope for a caller who may not read the records that would change */
function assertReads(caller: Caller, { operation }: Change): void {
  const access = reads(SCOPES[operation] ?? (operation in assetRuleTasks ? 'assets:read' : 'findings:read'));
  if (!isAllowed(caller, access)) throw new ApiError('insufficient_scope', refusalOf(caller, access));
}

export const previewHandlers: Handlers<typeof previewRoutes> = {
  async previewChange({ connections, table, caller, body }) {
    assertReads(caller, body);
    return answerPreview({ connections, table }, await taskOf({ connections, table, caller }, body));
  },
};
