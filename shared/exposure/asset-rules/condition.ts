import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import type { AssetFacts } from '#shared/assets/asset/asset-filter-fields.ts';
import { conditionFields } from '#shared/assets/asset/filter-fields.ts';
import type { Seen } from '#shared/platform/filter/on-record.ts';
import { assertRuleFilter, ruleCompiler, seen, withSaved } from '#shared/platform/filter/rule.ts';
import type { AssetCondition } from '#shared/platform/filter/schema.ts';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';

/**
 * Conditions, ready to be tried on assets.
 * @param tagged whether they see the tags that the index has: it also has the tags of rules
 */
export const conditionCompiler = (tagged = true) => ruleCompiler(conditionFields, tagged ? undefined : ['tag']);

/** @throws validation_failed */
export const assertCondition = (condition: AssetCondition, name = 'condition'): Promise<void> =>
  assertRuleFilter(conditionFields, condition, name);

export type Conditional = { condition?: AssetCondition | null | undefined; filterId?: string | null | undefined };

/**
 * A rule with its condition, or with the saved filter that it names.
 * @param given the members that the request sends: a condition that it leaves out may be one that an earlier release accepted
 * @throws validation_failed
 */
export async function withCondition<R extends Conditional>(
  table: Table,
  rule: R,
  given: Conditional = rule,
): Promise<R & { condition: AssetCondition }> {
  const { filter: condition } = await withSaved(table, 'asset', {
    rule: { filter: rule.condition, filterId: rule.filterId },
    given: { filter: given.condition },
    copy: 'condition',
  });
  if (condition == null) throw invalid('condition', 'is required, unless there is a filterId');
  if (given.condition != null || rule.filterId != null) await assertCondition(condition);
  return { ...rule, condition };
}

/** Whether a condition is one. */
export const isCondition = (condition: AssetCondition): Promise<boolean> =>
  assertCondition(condition).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) return false;
      throw error;
    },
  );

/** An asset as conditions see it. */
export const seenAsset = (
  asset: Omit<AssetFacts, 'branches'> & Partial<Asset>,
  branches: readonly string[] = [],
): Seen => seen(assets, asset, { branches });
