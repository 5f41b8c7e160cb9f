import * as z from 'zod';
import { ManyResult, Refused } from '#shared/findings/bulk/decision.ts';
import type { Results } from '#shared/platform/jobs/results.ts';
import { Comparison } from '#shared/reports/report/comparison.ts';
import { FindingChanges } from '#shared/scanning/engagements/finding-changes.ts';

/** How many findings an import has changed. */
export const Counts = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  closed: z.int(),
  reopened: z.int(),
});

const HeldClosingResult = Counts.extend({
  rejected: z
    .array(z.object({ reason: z.string(), where: z.string() }))
    .meta({ description: 'the first entries that cannot be used' }),
  rejectedCount: z.int(),
}).meta({ id: 'HeldClosingResult' });

const ImportResult = HeldClosingResult.extend({
  comparison: Comparison,
  bySeverity: FindingChanges,
  held: z
    .object({ count: z.int(), open: z.int().meta({ description: 'all that were open of the scan scope' }) })
    .optional()
    .meta({ description: 'findings whose closing waits until someone confirms it' }),
}).meta({ id: 'ImportResult' });

const UndoneImportResult = z
  .object({
    deleted: z.int(),
    opened: z.int(),
    fixed: z.int(),
    restored: z.int().meta({ description: 'findings whose texts and severity from before the import were restored' }),
    unrestored: z.int().meta({
      description:
        'findings that keep the texts and severity of the import, because another report or a person changed or confirmed them',
    }),
    inventory: z
      .object({ removed: z.int(), kept: z.int() })
      .meta({ description: 'assets that lost the services and software of the import, and assets that keep them' }),
    assets: z
      .object({ deleted: z.int(), kept: z.int() })
      .meta({ description: 'assets that the import created; those that nothing else reports or changed are deleted' }),
    kept: z.array(Refused).meta({ description: 'the first 50 that stay, with the reason' }),
    keptCount: z.int(),
  })
  .meta({ id: 'UndoneImportResult' });

const UndoneChangeResult = z
  .object({
    matched: z.int(),
    restored: z.int(),
    changedSince: z.array(Refused).meta({ description: 'the first 50 that were changed since' }),
    changedSinceCount: z.int(),
  })
  .meta({ id: 'UndoneChangeResult' });

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

const RestoredResult = z
  .object({
    made: z.int().meta({ description: 'missing records of earlier scans that were rebuilt from the findings' }),
    requeued: z.int().meta({ description: 'unfinished tasks that continue' }),
  })
  .meta({ id: 'RestoredResult' });

const MergedAssetsResult = z
  .object({
    findings: z.int(),
    moved: z.int(),
    merged: z.int().meta({ description: 'pairs of findings that became one' }),
  })
  .meta({ id: 'MergedAssetsResult' });

const PartedAssetsResult = z
  .object({
    findings: z.int(),
    returned: z.int(),
    parted: z.int().meta({ description: 'findings that became two again' }),
  })
  .meta({ id: 'PartedAssetsResult' });

const ReturnedAssetsResult = z.object({ returned: z.int() }).meta({ id: 'ReturnedAssetsResult' });

export const results = {
  ingest_report: ImportResult,
  close_held_findings: HeldClosingResult,
  update_findings: ManyResult,
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
  undo_import: UndoneImportResult,
  delete_asset: DeletedFindingsResult,
  merge_assets: MergedAssetsResult,
  undo_asset_merge: PartedAssetsResult,
  maintenance_restored: RestoredResult,
} satisfies Results;
