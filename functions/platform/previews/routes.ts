import * as z from 'zod';
import { AssetView } from '#shared/assets/asset/view.ts';
import { ApplicationAssetExclusion } from '#shared/exposure/asset-rules/application-exclusion.ts';
import { ApplicationAssetRule, ApplicationAssetRuleCreate } from '#shared/exposure/asset-rules/application-rule.ts';
import { AssetTagRule, AssetTagRuleCreate } from '#shared/exposure/asset-rules/asset-tag-rule.ts';
import { PreviewAnswer } from '#shared/findings/bulk/preview.ts';
import type { UndoName } from '#shared/findings/bulk/undo-update.ts';
import { SlaPolicies } from '#shared/findings/sla/sla-policies.ts';
import { SuppressionRule } from '#shared/findings/suppression/suppression-rule.ts';
import { createBody, Id, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, post } from '#shared/platform/http/route.ts';

const undoing = <const N extends UndoName | 'undoImport' | 'undoAssetMerge'>(operation: N) =>
  z
    .strictObject({ operation: z.literal(operation), taskId: Id })
    .meta({ id: `${operation[0]?.toUpperCase()}${operation.slice(1)}Preview` });

const UNDO_CHANGES = [
  undoing('undoFindingsUpdate'),
  undoing('undoVulnerabilitiesUpdate'),
  undoing('undoExposedCredentialsUpdate'),
  undoing('undoAlertsUpdate'),
  undoing('undoIncidentsUpdate'),
  undoing('undoImport'),
  undoing('undoAssetMerge'),
] as const;

/** A change that could be made: its operation, and the ids and the body that the operation takes. */
const Change = z
  .discriminatedUnion('operation', [
    z
      .strictObject({ operation: z.literal('createFindingRule'), body: createBody(SuppressionRule) })
      .meta({ id: 'NewRulePreview' }),
    z
      .strictObject({ operation: z.literal('updateFindingRule'), id: Id, body: patchBody(SuppressionRule) })
      .meta({ id: 'RuleChangePreview' }),
    z.strictObject({ operation: z.literal('deleteFindingRule'), id: Id }).meta({ id: 'RuleDeletionPreview' }),
    z
      .strictObject({ operation: z.literal('updateSlaPolicies'), body: patchBody(SlaPolicies) })
      .meta({ id: 'SlaPoliciesPreview' }),
    z
      .strictObject({ operation: z.literal('updateAsset'), id: Id, body: patchBody(AssetView) })
      .meta({ id: 'AssetChangePreview' }),
    z
      .strictObject({ operation: z.literal('mergeAssets'), id: Id, body: z.strictObject({ intoId: Id }) })
      .meta({ id: 'AssetMergePreview' }),
    z.strictObject({ operation: z.literal('retireAsset'), id: Id }).meta({ id: 'AssetRetirementPreview' }),
    z.strictObject({ operation: z.literal('returnAsset'), id: Id }).meta({ id: 'AssetReturnPreview' }),
    z.strictObject({ operation: z.literal('deleteAsset'), id: Id }).meta({ id: 'AssetDeletionPreview' }),
    z
      .strictObject({ operation: z.literal('createAssetTagRule'), body: AssetTagRuleCreate })
      .meta({ id: 'NewTagRulePreview' }),
    z
      .strictObject({ operation: z.literal('updateAssetTagRule'), id: Id, body: patchBody(AssetTagRule) })
      .meta({ id: 'TagRuleChangePreview' }),
    z.strictObject({ operation: z.literal('deleteAssetTagRule'), id: Id }).meta({ id: 'TagRuleDeletionPreview' }),
    z
      .strictObject({ operation: z.literal('createAssetRule'), id: Id, body: ApplicationAssetRuleCreate })
      .meta({ id: 'NewApplicationRulePreview' }),
    z
      .strictObject({
        operation: z.literal('updateAssetRule'),
        id: Id,
        rule_id: Id,
        body: patchBody(ApplicationAssetRule),
      })
      .meta({ id: 'ApplicationRuleChangePreview' }),
    z
      .strictObject({ operation: z.literal('deleteAssetRule'), id: Id, rule_id: Id })
      .meta({ id: 'ApplicationRuleDeletionPreview' }),
    z
      .strictObject({
        operation: z.literal('createAssetExclusion'),
        id: Id,
        body: createBody(ApplicationAssetExclusion),
      })
      .meta({ id: 'NewExclusionPreview' }),
    z
      .strictObject({ operation: z.literal('deleteAssetExclusion'), id: Id, exclusion_id: Id })
      .meta({ id: 'ExclusionDeletionPreview' }),
    z.strictObject({ operation: z.literal('deleteApplication'), id: Id }).meta({ id: 'ApplicationDeletionPreview' }),
    z
      .strictObject({ operation: z.literal('deleteEnvironment'), id: Id, env_id: Id })
      .meta({ id: 'EnvironmentDeletionPreview' }),
    z.strictObject({ operation: z.literal('endBranch'), id: Id }).meta({ id: 'BranchEndPreview' }),
    ...UNDO_CHANGES,
  ])
  .meta({ id: 'PreviewedChange', example: { operation: 'updateSlaPolicies', body: { days: { critical: 3 } } } });
export type Change = z.output<typeof Change>;

export const previewRoutes = defineRoutes({
  previewChange: post('/api/v1/previews', {
    summary: 'Preview a change: which records would it change?',
    description:
      'Send the operation that makes the change, with the parameters of its path and its `body`; the request changes nothing. A task ' +
      'tries the change on each record. `preview` has the exact counts, and `links.list` opens the records that would change: a day ' +
      'long, paged, filtered and exported like any list (`filter=preview:<taskId>`). Changes of rules, exclusions and applications ' +
      'are about assets, the undo of a change about the records of that change, the others about findings; a caller needs to read these. Changes of many findings, vulnerabilities, exposed ' +
      'credentials, alerts and incidents have `dryRun` for the same; rules for tickets have a preview of their own.',
    access: {
      role: 'viewer',
      area: 'any',
      scope: ['findings:read', 'assets:read', 'vulnerabilities:read', 'soc:read'],
    },
    readOnly: true,
    body: Change,
    response: PreviewAnswer,
  }),
});
