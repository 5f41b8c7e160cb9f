import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import type { AssetFacts } from '#shared/assets/asset/asset-filter-fields.ts';
import { conditionFields } from '#shared/assets/asset/filter-fields.ts';
import type { Seen } from '#shared/platform/filter/on-record.ts';
import { assertRuleFilter, ruleCompiler, seen } from '#shared/platform/filter/rule.ts';
import type { AssetCondition } from '#shared/platform/filter/schema.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';

/**
 * Conditions, ready to be tried on assets.
 * @param tagged whether they see the tags that the index has: it also has the tags of rules
 */
export const conditionCompiler = (tagged = true) => ruleCompiler(conditionFields, tagged ? undefined : ['tag']);

/** @throws validation_failed */
export const assertCondition = (condition: AssetCondition, name = 'condition'): Promise<void> =>
  assertRuleFilter(conditionFields, condition, name);

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
