import * as z from 'zod';
import { ConditionIdField, markedFilter } from '#shared/platform/filter/rule-filter.ts';
import { AssetCondition } from '#shared/platform/filter/schema.ts';
import { createBody, Id, objectNamed, readOnly, recordFields } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { ruleProgress } from './asset-tag-rule.ts';

/** A rule that links the assets that meet a condition to an application. */
export const ApplicationAssetRule = objectNamed('ApplicationAssetRule', {
  ...recordFields,
  applicationId: readOnly(Id),
  name: z.string().trim().min(1).max(120).meta({ example: 'hosts of the shop' }),
  enabled: z.boolean().default(true),
  environmentId: Id.nullable().default(null).meta({ description: 'the environment of its links', example: null }),
  condition: AssetCondition.meta({
    description: 'sees the tags of people and of tag rules',
    example: { field: 'hostname', operator: 'matches', value: 'shop-*' },
  }),
  filterId: ConditionIdField,
  ...ruleProgress,
  taskId: readOnly(Id.meta({ description: 'the task that applies the rule to current assets' })),
});
export type ApplicationAssetRule = z.infer<typeof ApplicationAssetRule>;

/** A new rule, which may name a saved filter instead of a condition. */
export const ApplicationAssetRuleCreate = createBody(ApplicationAssetRule, {
  condition: ApplicationAssetRule.shape.condition.optional(),
}).meta({ id: 'ApplicationAssetRuleCreate' });

const { matchCount: _count, status: _status, lastEvaluatedAt: _at, ...stored } = ApplicationAssetRule.shape;
export const StoredApplicationRule = z.object(stored);
export type StoredApplicationRule = z.infer<typeof StoredApplicationRule>;

export const applicationRules = defineEntity<StoredApplicationRule>(StoredApplicationRule, {
  name: 'application-rule',
  indexed: markedFilter,
  feedFields: ['applicationId', 'name', 'enabled', 'environmentId', 'condition', 'filterId'],
  parents: { application: { of: ({ applicationId }) => applicationId } },
});
