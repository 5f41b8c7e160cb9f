import * as z from 'zod';
import {
  ApexLLMCompletionAccepted,
  ApexLLMCompletionRequest,
  ApexLLMCompletionResult,
} from '#shared/apex/llm-completion.ts';
import { MAX_REPORT_BYTES } from '#shared/platform/http/body-size.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';
import { WaitSeconds } from '#shared/platform/jobs/wait.ts';

const path = '/api/v1/apex_communication/llm/completions';
const access = { machines: ['apex'] } as const;

export const apexLlmRoutes = defineRoutes({
  submitCompletion: post(path, {
    operation: 'Apex LLM Completion',
    summary: 'Ask a model a question for a task that the appliance holds',
    description:
      'The answer comes at once; read the result by `requestID`. The caller must hold `taskId`. Before the call the service ' +
      'reserves the maximum from the budgets of the task, of its campaign’s run and of the organization’s month. With too few ' +
      'tokens left the result is `failed` with `budget_exhausted`, and the service does not call the provider. The service tries ' +
      'up to three times and counts each try, including an answer that it rejects; a late answer counts with its maximum. The same ' +
      '`idempotencyKey` for the same task names the same completion. `model` is an alias of a configured model; a deployment ' +
      'without a provider answers `provider_unavailable`. Prompts and answers are stored encrypted, are readable until ' +
      '`expiresAt`, and are removed afterwards.',
    access,
    lenient: true,
    maxBody: MAX_REPORT_BYTES,
    body: ApexLLMCompletionRequest,
    response: ApexLLMCompletionAccepted,
  }),
  getCompletion: get(`${path}/{requestID}`, {
    operation: 'Apex LLM Completion Result',
    summary: 'Read the answer of the model',
    description:
      'Only the appliance that asked can read the result. With `waitSeconds` the request waits for the result. A `failed` result ' +
      'has its reason in `error.code`; `error.retryable` says whether another request may succeed (the service has already tried ' +
      'several times). `budget.tokensLeft` is the remaining budget of the task at the end of this call.',
    access,
    lenient: true,
    poll: true,
    query: z.object({ waitSeconds: WaitSeconds }),
    response: ApexLLMCompletionResult,
  }),
});
