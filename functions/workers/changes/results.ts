import * as z from 'zod';
import { ManyResult, Refused } from '#shared/findings/bulk/decision.ts';
import { ChangePreview } from '#shared/findings/bulk/preview.ts';
import { HandOver } from '#shared/organizations/hand-over-records.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
import type { Results } from '#shared/platform/jobs/results.ts';
import { MAX_REFUSED } from './rule-pack/import.ts';

const UndoneChangeResult = objectNamed('UndoneChangeResult', {
  matched: z.int(),
  restored: z.int(),
  changedSince: z.array(Refused).meta({ description: 'the first 50 that were changed since' }),
  changedSinceCount: z.int(),
});

const followed = ManyResult.omit({ results: true, kinds: true });

const VulnerabilitiesChangeResult = ManyResult.extend({
  findings: followed.meta({
    description: 'findings that may name one of the vulnerabilities, and how many of them followed',
  }),
}).meta({ id: 'VulnerabilitiesChangeResult' });

const CredentialsChangeResult = ManyResult.extend({
  findings: followed.meta({
    description: 'findings of credentials that became or were a false positive, and how many of them followed',
  }),
}).meta({ id: 'ExposedCredentialsChangeResult' });

const UndoneDecisionsResult = UndoneChangeResult.extend({ findings: z.object({ changed: z.int() }) }).meta({
  id: 'UndoneDecisionsResult',
});

const DeletedFindingsResult = z.object({ deleted: z.int() }).meta({ id: 'DeletedFindingsResult' });

const RestoredResult = objectNamed('RestoredResult', {
  made: z.int().meta({ description: 'missing records of earlier scans that were rebuilt from the findings' }),
  requeued: z.int().meta({ description: 'unfinished tasks that continue' }),
});

const MergedAssetsResult = objectNamed('MergedAssetsResult', {
  findings: z.int(),
  moved: z.int(),
  merged: z.int().meta({ description: 'pairs of findings that became one' }),
});

const PartedAssetsResult = objectNamed('PartedAssetsResult', {
  findings: z.int(),
  returned: z.int(),
  parted: z.int().meta({ description: 'findings that became two again' }),
});

const DetectionPackResult = objectNamed('DetectionPackResult', {
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  refused: z
    .array(z.object({ file: z.string(), message: z.string() }))
    .meta({ description: `the first ${MAX_REFUSED} rules that are refused; \`#2\` is the second document of a file` }),
  refusedCount: z.int(),
});

const ReturnedAssetsResult = z.object({ returned: z.int() }).meta({ id: 'ReturnedAssetsResult' });

export const results = {
  update_findings: ManyResult,
  preview_change: ChangePreview,
  apply_suppression_rule: ManyResult,
  redate_findings: ManyResult,
  rescore_findings: ManyResult,
  apply_asset_change: ManyResult,
  retire_assets: ManyResult,
  return_assets: ReturnedAssetsResult,
  end_branch: ManyResult,
  link_remediation: ManyResult,
  undo_findings_update: UndoneChangeResult,
  update_vulnerabilities: VulnerabilitiesChangeResult,
  undo_vulnerabilities_update: UndoneDecisionsResult,
  follow_vulnerabilities: ManyResult,
  follow_credential: ManyResult,
  update_exposed_credentials: CredentialsChangeResult,
  undo_exposed_credentials_update: UndoneDecisionsResult,
  update_alerts: ManyResult,
  undo_alerts_update: UndoneChangeResult,
  update_incidents: ManyResult,
  undo_incidents_update: UndoneChangeResult,
  import_detection_rules: DetectionPackResult,
  delete_asset: DeletedFindingsResult,
  merge_assets: MergedAssetsResult,
  hand_over: HandOver,
  undo_asset_merge: PartedAssetsResult,
  maintenance_restored: RestoredResult,
} satisfies Results;
