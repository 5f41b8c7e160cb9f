import * as z from 'zod';
import type { Results } from '#shared/jobs/results.ts';

const RebuiltResult = z
  .object({ seen: z.int(), compared: z.int().meta({ description: 'assets that were compared with the others' }) })
  .meta({ id: 'RebuiltResult' });
const RescoredVulnerabilities = z
  .object({ seen: z.int().meta({ description: 'of which those that moved were written' }) })
  .meta({ id: 'RescoredVulnerabilities' });

const AppliedAssetRules = z
  .object({ looked: z.int().meta({ description: 'assets that the change may concern' }), changed: z.int() })
  .meta({ id: 'AppliedAssetRules' });

export const results = {
  maintenance_views: RebuiltResult,
  apply_asset_rules: AppliedAssetRules,
  rescore_vulnerabilities: RescoredVulnerabilities,
} satisfies Results;
