import * as z from 'zod';
import type { Results } from '#shared/platform/jobs/results.ts';

const RebuiltResult = z
  .object({ seen: z.int(), compared: z.int().meta({ description: 'assets that were compared with the others' }) })
  .meta({ id: 'RebuiltResult' });
const RescoredVulnerabilities = z
  .object({
    seen: z.int().meta({ description: 'those that were looked at' }),
    changed: z
      .int()
      .meta({ description: 'those that moved, without what a worker wrote in the step in which it died' }),
  })
  .meta({ id: 'RescoredVulnerabilities' });

const AppliedAssetRules = z
  .object({ looked: z.int().meta({ description: 'assets that the change may concern' }), changed: z.int() })
  .meta({ id: 'AppliedAssetRules' });

export const results = {
  maintenance_views: RebuiltResult,
  apply_asset_rules: AppliedAssetRules,
  rescore_vulnerabilities: RescoredVulnerabilities,
  retag_vulnerabilities: RescoredVulnerabilities,
} satisfies Results;
