import * as z from 'zod';
import type { Results } from '#shared/platform/jobs/results.ts';

const CampaignRunResult = z
  .object({ runId: z.uuid(), campaignId: z.uuid(), tasks: z.int() })
  .meta({ id: 'CampaignRunResult' });

const StoppedApexResult = z.object({ campaigns: z.int(), tasks: z.int() }).meta({ id: 'StoppedApexResult' });

export const results = { run_apex_campaign: CampaignRunResult, stop_all_apex: StoppedApexResult } satisfies Results;
