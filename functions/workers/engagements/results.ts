import * as z from 'zod';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import type { Results } from '#shared/platform/jobs/results.ts';

const EngagementWorkResult = objectNamed('EngagementWorkResult', {
  engagementId: z.uuid(),
  scannerTasks: z
    .int()
    .optional()
    .meta({ description: 'scanner tasks that were created or moved; absent if work was ended' }),
  engagementStatus: z.string().optional().meta({ description: 'of an engagement that waits for its start' }),
  nextRunAt: Timestamp.nullable().optional(),
});

export const results = {
  create_engagement: EngagementWorkResult,
  approve_engagement: EngagementWorkResult,
  run_engagement: EngagementWorkResult,
  open_windows: EngagementWorkResult,
  cancel_engagement: EngagementWorkResult,
  reject_engagement: EngagementWorkResult,
  complete_engagement: EngagementWorkResult,
} satisfies Results;
