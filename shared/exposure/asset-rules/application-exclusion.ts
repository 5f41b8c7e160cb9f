import * as z from 'zod';
import { ConditionIdField, markedFilter } from '#shared/platform/filter/rule-filter.ts';
import { AssetCondition } from '#shared/platform/filter/schema.ts';
import { Id, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** Assets that no rule of an application links: one, or those that meet a condition. */
export const ApplicationAssetExclusion = objectNamed('ApplicationAssetExclusion', {
  ...recordFields,
  applicationId: readOnly(Id),
  assetId: Id.nullable().default(null).meta({ description: 'either this, `condition` or `filterId`', example: null }),
  condition: AssetCondition.nullable()
    .default(null)
    .meta({ example: { field: 'zone', operator: 'equals', value: 'laboratory' } }),
  filterId: ConditionIdField,
  reason: z.string().trim().min(1).max(300).meta({ example: 'test machines' }),
  expiresAt: Timestamp.nullable().default(null).meta({ description: 'when the exclusion is removed', example: null }),
  taskId: readOnly(Id.nullable().meta({ description: 'the task that removes links by rules from current assets' })),
});
export type ApplicationAssetExclusion = z.infer<typeof ApplicationAssetExclusion>;

export const applicationExclusions = defineEntity(ApplicationAssetExclusion, {
  name: 'application-exclusion',
  feedFields: ['applicationId', 'assetId', 'condition', 'filterId', 'reason', 'expiresAt'],
  parents: { application: { of: ({ applicationId }) => applicationId } },
  indexed: ({ assetId, condition, filterId }) => ({
    ...markedFilter({ filterId }),
    asset: assetId ?? undefined,
    kind: condition ? 'condition' : 'asset',
  }),
  unique: ({ applicationId, assetId }) => ({ asset: assetId ? `${applicationId} ${assetId}` : undefined }),
});
