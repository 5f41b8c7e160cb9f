import { removeRule, saveRule } from '#shared/findings/suppression/save.ts';
import { assertConditions, MAX_RULES } from '#shared/findings/suppression/stored.ts';
import { SuppressionRule, suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { type Caller, mayAcceptRisks } from '#shared/platform/auth/permissions.ts';
import { withSaved } from '#shared/platform/filter/rule.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { fixedLimit, invalid } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { findingRuleRoutes } from './routes.ts';

type Expiring = Partial<Pick<SuppressionRule, 'expiresAt'>>;

function assertLasting({ expiresAt }: Expiring): void {
  if (expiresAt && expiresAt <= now()) throw invalid('expiresAt', 'must be a time in the future');
}

const personOf = ({ id, name }: Caller) => ({ id, name });

/** A rule accepts the risk of all findings that match it. @throws validation_failed */
function assertMayApprove(caller: Caller, { status }: Pick<SuppressionRule, 'status'>): void {
  if (status !== 'risk_accepted' || mayAcceptRisks(caller)) return;
  throw invalid('status', 'must be false_positive or out_of_scope: an API key approves nothing, use an account');
}

async function createRule({ connections, table, caller, body }: Call<typeof findingRuleRoutes.createFindingRule>) {
  assertLasting(body);
  assertMayApprove(caller, body);
  const named = await withSaved(table, 'finding', { rule: body, given: body });
  await assertConditions(named);
  const { totalCount } = await table.list(suppressionRules, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_RULES) throw fixedLimit('An organization', MAX_RULES, 'suppression rules');
  const [id = ''] = await table.reserve(suppressionRules, 1);
  const draft = { ...named, id, approver: personOf(caller), taskId: id };
  return saveRule({ connections, table }, table.stamp<SuppressionRule>(draft));
}

const updateRule = (call: Call<typeof findingRuleRoutes.updateFindingRule>) =>
  retry(async () => {
    const { connections, table, caller, params, body, ifMatch } = call;
    const before = await table.get(suppressionRules, params.id, true);
    const changes = mergePatch(SuppressionRule, before, { patch: body, ifMatch });
    if (!changes) return before;
    assertLasting(changes);
    assertMayApprove(caller, { ...before, ...changes });
    const rule = { ...before, ...changes };
    const { filter } = await withSaved(table, 'finding', { rule, given: changes });
    await assertConditions({ ...rule, filter });
    const after = table.changed(before, { ...changes, filter, approver: personOf(caller) });
    return saveRule({ connections, table }, after, before);
  });

export const findingRuleHandlers: Handlers<typeof findingRuleRoutes> = {
  listFindingRules: ({ table, query }) => table.list(suppressionRules, query),
  createFindingRule: createRule,
  getFindingRule: ({ table, params }) => table.get(suppressionRules, params.id),
  updateFindingRule: updateRule,
  deleteFindingRule: ({ connections, table, params }) =>
    retry(async () => {
      const before = await table.get(suppressionRules, params.id, true);
      await removeRule({ connections, table }, before);
      return { id: before.id, deletedAt: now() };
    }),
};
