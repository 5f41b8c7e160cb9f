import type { Answer, CompletionErrorCode, Prompt } from '#shared/entities/llm-completion.ts';

/** One call, without retries. @throws ProviderError */
export type Call = { prompt: Prompt; model: string; signal: AbortSignal };
export type Provider = (call: Call) => Promise<Answer>;

/** The reason of a failed call, and whether a retry may succeed. It never quotes the prompt or the answer. */
export class ProviderError extends Error {
  readonly code: CompletionErrorCode;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: CompletionErrorCode, message: string, more: { final?: boolean; retryAfterSeconds?: number } = {}) {
    super(message);
    this.code = code;
    this.retryable = more.final !== true;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** An answer that breaks the provider's interface. Models do that sometimes: a retry may succeed. */
export const unusableAnswer = (what: string): ProviderError =>
  new ProviderError('provider_invalid', `The provider answered ${what}.`);

/** Arguments of a tool call must be an object. @throws ProviderError */
export function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unusableAnswer('a tool call whose arguments are not an object');
  return Object.fromEntries(Object.entries(value));
}

/** Checks that a requested JSON answer is JSON, unless the model was cut short. @throws ProviderError */
export function checkFormat(prompt: Prompt, answer: Answer): Answer {
  if (prompt.responseFormat === 'text' || answer.finishReason !== 'stop') return answer;
  try {
    JSON.parse(answer.message.content);
    return answer;
  } catch {
    throw unusableAnswer('with a text that is not the requested JSON');
  }
}
