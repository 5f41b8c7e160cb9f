import type { Answer, CompletionErrorCode, Prompt } from '#shared/apex/llm-completion.ts';
import { parseBounded } from '#shared/platform/runtime/json-cost.ts';

/** One call, without retries. @throws ProviderError */
export type Call = { prompt: Prompt; model: string; signal: AbortSignal };
export type Provider = (call: Call) => Promise<Answer>;

/** The tokens that a failed call cost; `unknown`: the provider may have worked, but does not report how much. */
type Cost = Answer['usage'] | 'unknown';
type Failed = { final?: boolean; retryAfterSeconds?: number; cost?: Cost };

/** The reason of a failed call, and whether a retry may succeed. It never quotes the prompt or the answer. */
export class ProviderError extends Error {
  readonly code: CompletionErrorCode;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** Undefined for a call that the provider did not carry out. */
  readonly cost: Cost | undefined;

  constructor(code: CompletionErrorCode, message: string, more: Failed = {}) {
    super(message);
    this.code = code;
    this.retryable = more.final !== true;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.cost = more.cost;
  }
}

/** An answer that breaks the provider's interface. Models do that sometimes: a retry may succeed. */
export const unusableAnswer = (what: string, cost: Cost = 'unknown'): ProviderError =>
  new ProviderError('provider_invalid', `The provider answered ${what}.`, { cost });

/** Arguments of a tool call must be an object. @throws ProviderError, with the cost of the answer */
export function objectOf(value: unknown, cost: Cost): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unusableAnswer('a tool call whose arguments are not an object', cost);
  return Object.fromEntries(Object.entries(value));
}

/** Checks that a requested JSON answer is JSON, unless the model was cut short. @throws ProviderError */
export function checkFormat(prompt: Prompt, answer: Answer): Answer {
  if (prompt.responseFormat === 'text' || answer.finishReason !== 'stop') return answer;
  try {
    parseBounded(answer.message.content);
    return answer;
  } catch {
    throw unusableAnswer('with a text that is not the requested JSON', answer.usage);
  }
}
