import * as z from 'zod';
import { PreviewAnswer } from '#shared/findings/bulk/preview.ts';
import { SlaPolicies } from '#shared/findings/sla/sla-policies.ts';
import { SuppressionRule } from '#shared/findings/suppression/suppression-rule.ts';
import { reads } from '#shared/platform/auth/access.ts';
import { createBody, Id, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, post } from '#shared/platform/http/route.ts';

/** A change that could be made: its operation, and the id and body that the operation takes. */
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
      .strictObject({ operation: z.literal('mergeAssets'), id: Id, body: z.strictObject({ intoId: Id }) })
      .meta({ id: 'AssetMergePreview' }),
    z.strictObject({ operation: z.literal('retireAsset'), id: Id }).meta({ id: 'AssetRetirementPreview' }),
    z.strictObject({ operation: z.literal('deleteAsset'), id: Id }).meta({ id: 'AssetDeletionPreview' }),
  ])
  .meta({ id: 'PreviewedChange', example: { operation: 'updateSlaPolicies', body: { days: { critical: 3 } } } });
export type Change = z.output<typeof Change>;

export const previewRoutes = defineRoutes({
  previewChange: post('/api/v1/previews', {
    summary: 'Preview a change: which findings would it change?',
    description:
      'Send the operation that makes the change, with its `id` and `body`; the request changes nothing. A task tries the change on ' +
      'each finding. `preview` has the exact counts, and `links.list` opens the findings that would change: a day long, paged, ' +
      'filtered and exported like any list (`filter=preview:<taskId>`). Changes of many findings, vulnerabilities, exposed ' +
      'credentials, alerts and incidents have `dryRun` for the same; rules about assets and tickets have previews of their own.',
    access: reads('findings:read'),
    readOnly: true,
    body: Change,
    response: PreviewAnswer,
  }),
});
