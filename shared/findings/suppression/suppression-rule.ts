import * as z from 'zod';
import { Person } from '#shared/credentials/person.ts';
import { FilterIdField, markedFilter, RuleFilterField } from '#shared/platform/filter/rule-filter.ts';
import { Id, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

const text = (most: number) => z.string().trim().min(1).max(most).optional();
const PATTERN = '`*` matches any characters, the letter case does not count';

/** A finding must meet all of these. */
const RuleConditions = z.strictObject({
  ruleId: text(300),
  tool: text(120),
  path: text(300).meta({ description: `the file; ${PATTERN}`, example: 'test/*' }),
  host: text(300).meta({ description: `host, address or name of the asset; ${PATTERN}` }),
  cve: text(40),
  assetTag: text(120).meta({ description: 'a tag of the asset' }),
});

/** A decision that is made once for all findings that meet its conditions. */
export const SuppressionRule = objectNamed('SuppressionRule', {
  ...recordFields,
  name: z.string().trim().min(1).max(120).meta({ example: 'Test data' }),
  enabled: z.boolean().default(true),
  conditions: RuleConditions.default({}).meta({
    description: 'at least one, unless there is a `filter`',
    example: { path: 'test/*' },
  }),
  filter: RuleFilterField,
  filterId: FilterIdField,
  status: z.enum(['false_positive', 'risk_accepted', 'out_of_scope']),
  reason: z.string().trim().min(1).max(300).meta({ example: 'files of tests hold no real secrets' }),
  expiresAt: Timestamp.nullable()
    .default(null)
    .meta({ description: 'when the rule ends, as if it were removed', example: null }),
  order: z.int().min(0).max(10_000).default(100).meta({
    description: 'if a finding meets several rules, the lowest order decides, then the oldest rule',
  }),
  approver: readOnly(
    Person.meta({
      description: 'the person who created or last changed the rule; shown in `acceptance` of findings',
    }),
  ),
  taskId: readOnly(Id.meta({ description: 'the task that applies the rule to current findings' })),
});
export type SuppressionRule = z.infer<typeof SuppressionRule>;

export const suppressionRules = defineEntity<SuppressionRule>(SuppressionRule, {
  name: 'suppression-rule',
  inPart: 'whole',
  indexed: markedFilter,
  feedFields: ['name', 'enabled', 'conditions', 'filter', 'filterId', 'status', 'reason', 'expiresAt', 'order'],
});

export const isActive = ({ enabled, expiresAt }: SuppressionRule, at: string): boolean =>
  enabled && (expiresAt === null || expiresAt > at);
