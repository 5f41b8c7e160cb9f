import * as z from 'zod';
import { ConditionIdField, markedFilter } from '#shared/platform/filter/rule-filter.ts';
import { AssetCondition } from '#shared/platform/filter/schema.ts';
import { createBody, Id, live, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** Whether a rule's task has applied the rule to all assets, and how many assets meet its condition. */
export const ruleProgress = {
  matchCount: live(z.int().nonnegative().meta({ description: 'the assets that meet the condition, from a counter' })),
  status: live(
    z.enum(['evaluating', 'ready']).meta({ description: '`evaluating` until `taskId` has looked at all assets' }),
  ),
  lastEvaluatedAt: live(Timestamp.nullable().meta({ description: 'when its last task ended' })),
};

const Tag = z.string().trim().min(1).max(120);

/** A rule that gives assets tags, in addition to people's tags. */
export const AssetTagRule = objectNamed('AssetTagRule', {
  ...recordFields,
  name: z.string().trim().min(1).max(120).meta({ example: 'payment hosts' }),
  enabled: z.boolean().default(true),
  condition: AssetCondition.meta({
    description: 'tests the tags that people gave, not the tags of rules',
    example: { field: 'hostname', operator: 'matches', value: 'pay-*' },
  }),
  filterId: ConditionIdField,
  tags: z
    .array(Tag)
    .min(1)
    .max(10)
    .meta({ example: ['payments'] }),
  ...ruleProgress,
  taskId: readOnly(Id.meta({ description: 'the task that applies the rule to current assets' })),
});
export type AssetTagRule = z.infer<typeof AssetTagRule>;

/** A new rule, which may name a saved filter instead of a condition. */
export const AssetTagRuleCreate = createBody(AssetTagRule, { condition: AssetTagRule.shape.condition.optional() });

const { matchCount: _count, status: _status, lastEvaluatedAt: _at, ...stored } = AssetTagRule.shape;
export const StoredTagRule = z.object(stored);
export type StoredTagRule = z.infer<typeof StoredTagRule>;

export const assetTagRules = defineEntity<StoredTagRule>(StoredTagRule, {
  name: 'asset-tag-rule',
  indexed: markedFilter,
  feedFields: ['name', 'enabled', 'condition', 'filterId', 'tags'],
});
