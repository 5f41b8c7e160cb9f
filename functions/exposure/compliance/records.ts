import * as z from 'zod';
import { AssetLook } from '#shared/assets/controls/asset-look.ts';
import { LOOKS } from '#shared/assets/controls/weakness.ts';
import { CONTROL_STATUSES } from '#shared/exposure/compliance/assess.ts';
import { FrameworkStanding } from '#shared/exposure/compliance/current.ts';
import { FindingAsset, FindingListItem } from '#shared/findings/finding/finding.ts';
import { figureLinks } from '#shared/platform/http/figures.ts';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';

const Count = z.int().nonnegative();

const against = {
  name: z.string().meta({ description: 'the weakness, or the key of the check' }),
  title: z.string().meta({ description: 'the weakness in words, or the check as the tool names it' }),
  openFindings: Count,
  acceptedFindings: Count.meta({ description: 'findings with an accepted risk, which fail the control too' }),
};

const LookedAssets = objectNamed('ControlLookedAssets', {
  assetType: AssetType,
  assets: Count,
  by: z
    .array(objectNamed('ControlLook', { look: z.enum(LOOKS), assets: Count }))
    .meta({ description: 'one of these is enough; empty: no tool can prove the absence of the weakness' }),
});

const Criterion = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('weakness'),
      ...against,
      looked: z.array(LookedAssets).meta({ description: 'the types of assets on which a tool has to look for it' }),
    }),
    z.object({
      kind: z.literal('check'),
      ...against,
      check: z.string().meta({ description: 'the key for `GET /api/v1/findings?check=`', example: 'aws-3.0:5.2b' }),
      passedOn: Count.meta({ description: 'assets on which it passed, without repositories' }),
      passedInCode: Count.meta({
        description: 'repositories in whose code it passed: these count where `assetType` is `repository`',
      }),
    }),
  ])
  .meta({ id: 'ControlCriterion' });

export const ControlAssessment = objectNamed('ControlAssessment', {
  id: z.string().meta({ example: 'owasp-top-10-2021:A03' }),
  framework: z.object({ id: z.string(), name: z.string(), version: z.string() }),
  control: z.string().meta({ description: 'its identifier in the framework', example: 'A03' }),
  title: z.string().meta({ description: 'in words of this service; the publisher has the official text' }),
  status: z.enum(CONTROL_STATUSES),
  exceptionsOnly: z.boolean().meta({ description: 'only accepted risks fail it' }),
  criteria: z.array(Criterion),
});
export type ControlAssessment = z.infer<typeof ControlAssessment>;

export const ComplianceFramework = FrameworkStanding.extend({
  publisher: z.string(),
  source: z.string().meta({ description: 'where the identifiers of the controls come from' }),
  comparedWith: z.string().meta({ description: 'the other lists in which the identifiers were looked up' }),
  scope: z.string().meta({ description: 'the part of the framework that is assessed' }),
  exceptionsOnly: Count.meta({ description: 'controls that only accepted risks fail' }),
  assets: z
    .array(z.object({ type: AssetType, count: Count, ...figureLinks }))
    .meta({ description: 'the assets of the group, without retired assets' }),
  asOf: Timestamp,
}).meta({ id: 'ComplianceFramework' });

export const ControlEvidence = ControlAssessment.extend({
  findings: z
    .array(FindingListItem)
    .meta({ description: 'up to ten findings that fail the control, newest first: open findings and accepted risks' }),
  findingsCount: Count.meta({ description: 'the number of all such findings' }),
  looks: z
    .array(z.object({ asset: FindingAsset, looks: z.array(AssetLook) }))
    .meta({ description: 'up to ten assets that tools of the control scanned, newest asset first' }),
  asOf: Timestamp,
}).meta({ id: 'ControlEvidence' });
