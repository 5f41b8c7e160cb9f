import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import type { Results } from '#shared/platform/jobs/results.ts';

const RebuiltResult = z
  .object({ seen: z.int(), compared: z.int().meta({ description: 'assets that were compared with the others' }) })
  .meta({ id: 'RebuiltResult' });
const RescoredVulnerabilities = objectNamed('RescoredVulnerabilities', {
  seen: z.int().meta({ description: 'records that the task read' }),
  changed: z.int().meta({ description: 'records that changed, without the changes of a step in which a worker died' }),
});

const PlacedAlerts = objectNamed('PlacedAlerts', RescoredVulnerabilities.shape);

const AppliedAssetRules = z
  .object({ looked: z.int().meta({ description: 'assets that the change may concern' }), changed: z.int() })
  .meta({ id: 'AppliedAssetRules' });

export const results = {
  maintenance_views: RebuiltResult,
  apply_asset_rules: AppliedAssetRules,
  rescore_vulnerabilities: RescoredVulnerabilities,
  retag_vulnerabilities: RescoredVulnerabilities,
  place_alerts: PlacedAlerts,
} satisfies Results;
