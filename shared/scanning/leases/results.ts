import * as z from 'zod';
import type { Results } from '#shared/platform/jobs/results.ts';
import { Accepted } from './accepted.ts';

/** The memory of a machine's results, for when it sends them again; their reports are read by tasks of their own. */
export const MachineAnswerResult = Accepted.partial()
  .extend({
    accepted: z.int().optional().meta({ description: 'accepted results that queued no task' }),
    outcome: z.enum(['completed', 'failed', 'cancelled']).optional(),
  })
  .meta({ id: 'MachineAnswerResult' });

export type MachineAnswerResult = z.infer<typeof MachineAnswerResult>;

export const results = {
  complete_scanner_task: MachineAnswerResult,
  complete_response_action: MachineAnswerResult,
  complete_apex_task: MachineAnswerResult,
  report_apex_findings: MachineAnswerResult,
} satisfies Results;
