import * as z from 'zod';
import {
  ApexLLMCompletionAccepted,
  ApexLLMCompletionRequest,
  ApexLLMCompletionResult,
} from '#shared/entities/llm-completion.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { WaitSeconds } from '#shared/jobs/wait.ts';

const path = '/api/v1/apex_communication/llm/completions';
const access = { machines: ['apex'] } as const;

export const apexLlmRoutes = defineRoutes({
  submitCompletion: {
    method: 'POST',
    path,
    operation: 'Apex LLM Completion',
    summary: 'Ask a model, for a task that the appliance holds',
    description:
      'Answers at once; read the result by `requestID`. The caller must hold `taskId` now. The most that the call can ' +
      'use is reserved of the budgets of the task, of its campaign’s run and of the organization’s month before the ' +
      'provider is called; without enough left the result is `failed` with `budget_exhausted` and nothing is called. ' +
      'The same `idempotencyKey` for the same task is the same completion. `model` is an alias of a model that the ' +
      'deployment configured; a deployment without a provider answers `provider_unavailable`. Prompts and answers are ' +
      'encrypted where they are kept, can be read until `expiresAt`, and are removed afterwards.',
    access,
    lenient: true,
    body: ApexLLMCompletionRequest,
    response: ApexLLMCompletionAccepted,
  },
  getCompletion: {
    method: 'GET',
    path: `${path}/{requestID}`,
    operation: 'Apex LLM Completion Result',
    summary: 'Read what the model answered',
    description:
      'Only the appliance that asked reads it. `waitSeconds` answers as soon as it is there. `failed` says why in ' +
      '`error.code`, and in `error.retryable` whether asking again may help; the service itself has tried several times ' +
      'by then. `budget.tokensLeft` is what the task could still use when this call ended.',
    access,
    lenient: true,
    poll: true,
    query: z.object({ waitSeconds: WaitSeconds }),
    response: ApexLLMCompletionResult,
  },
});
