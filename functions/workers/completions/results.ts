import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import type { Results } from '#shared/platform/jobs/results.ts';

const CompletionResult = objectNamed('CompletionResult', {
  tokensLeft: z.int(),
  retryable: z.boolean().optional().meta({ description: 'of a completion that failed' }),
});

export const results = { apex_llm_completion: CompletionResult } satisfies Results;
