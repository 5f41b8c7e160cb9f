import * as z from 'zod';
import type { Results } from '#shared/platform/jobs/results.ts';

const CompletionResult = z
  .object({
    tokensLeft: z.int(),
    retryable: z.boolean().optional().meta({ description: 'of a completion that failed' }),
  })
  .meta({ id: 'CompletionResult' });

export const results = { apex_llm_completion: CompletionResult } satisfies Results;
