import * as z from 'zod';
import type { Results } from '#shared/jobs/results.ts';

const RebuiltResult = z.object({ seen: z.int() }).meta({ id: 'RebuiltResult' });
const RescoredVulnerabilities = z
  .object({ seen: z.int().meta({ description: 'of which those that moved were written' }) })
  .meta({ id: 'RescoredVulnerabilities' });

export const results = {
  maintenance_views: RebuiltResult,
  rescore_vulnerabilities: RescoredVulnerabilities,
} satisfies Results;
