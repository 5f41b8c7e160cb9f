import * as z from 'zod';
import { Answer, type ContentPart, type FinishReason, type Message, type Prompt } from '#shared/apex/llm-completion.ts';
import { failureCode } from '#shared/platform/outgoing/failure-code.ts';
import { parseBounded } from '#shared/platform/runtime/json-cost.ts';
import { withoutTrailing } from '#shared/platform/runtime/texts.ts';
import { type Call, objectOf, type Provider, ProviderError, unusableAnswer } from './provider.ts';

/** OpenAI's chat completions, which many servers support (https://platform.openai.com/docs/api-reference/chat). */
const Reply = z.object({
  model: z.string().optional(),
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
            .nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.int().nonnegative(), completion_tokens: z.int().nonnegative() }).nullish(),
});

const FINISHES: Record<string, FinishReason> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

/** A longer answer cannot be one to the request. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

export const openAi =
  (baseUrl: string, apiKey: () => Promise<string | undefined>): Provider =>
  async (call) => {
    const to = { url: new URL('chat/completions', `${withoutTrailing('/', baseUrl)}/`), key: await apiKey() };
    const model = `${baseUrl} ${call.model}`;
    let answered = await post(to, call, renamed.has(model) ? 'max_completion_tokens' : 'max_tokens');
    if (answered.status === 400 && complaintOf(answered.text).param === 'max_tokens') {
      renamed.add(model);
      answered = await post(to, call, 'max_completion_tokens');
    }
    return answered.ok ? answerOf(answered.text, call) : refusal(answered, call);
  };

type Limit = 'max_tokens' | 'max_completion_tokens';
/** Models that refused `max_tokens` in this process, as OpenAI's newer models do. All other servers know that field. */
const renamed = new Set<string>();

type Endpoint = { url: URL; key: string | undefined };
type HttpAnswer = { ok: boolean; status: number; retryAfter: string | null; text: string };

async function post(to: Endpoint, call: Call, limit: Limit): Promise<HttpAnswer> {
  const response = await send(to, call, limit);
  const { ok, status, headers } = response;
  return { ok, status, retryAfter: headers.get('retry-after'), text: await readText(response, call.signal) };
}

async function send({ url, key }: Endpoint, { prompt, model, signal }: Call, limit: Limit): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      // the key goes only to the configured address
      redirect: 'error',
      signal,
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ ...requestOf(prompt, model), [limit]: prompt.maxTokens }),
    });
  } catch (error) {
    throw broken(error, signal);
  }
}

/** @param cost of a call whose connection broke; one that was not answered in time was perhaps carried out */
const broken = (cause: unknown, signal: AbortSignal, cost?: 'unknown'): ProviderError =>
  signal.aborted
    ? new ProviderError('timeout', 'The provider did not answer in time.', { cost: 'unknown' })
    : new ProviderError('provider_unavailable', `The provider cannot be reached (${failureCode(cause)}).`, { cost });

async function readText(response: Response, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) throw unusableAnswer('more than 8 MB');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof ProviderError ? error : broken(error, signal, 'unknown');
  }
  return Buffer.concat(chunks).toString('utf8');
}

function requestOf(prompt: Prompt, model: string): object {
  const { messages, tools, toolChoice, responseFormat, temperature, stop } = prompt;
  return {
    model,
    messages: messages.map(wireMessage),
    ...(temperature !== undefined && { temperature }),
    ...(stop.length > 0 && { stop }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
      tool_choice:
        typeof toolChoice === 'string' ? toolChoice : { type: 'function', function: { name: toolChoice.name } },
    }),
    ...(responseFormat !== 'text' && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: responseFormat.jsonSchema } },
    }),
  };
}

const wireMessage = ({ role, content, toolCalls = [], toolCallId }: Message) => ({
  role,
  content: typeof content === 'string' ? content : content.map(wirePart),
  ...(toolCalls.length > 0 && {
    tool_calls: toolCalls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(given) },
    })),
  }),
  ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
});

const wirePart = (part: ContentPart) =>
  part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } };

/** The short words of an error. The other texts of a provider may quote the prompt. */
const Complaint = z.object({
  error: z.object({
    code: z.union([z.string(), z.number()]).nullish(),
    type: z.string().nullish(),
    param: z.string().nullish(),
  }),
});
const complaintOf = (text: string): Partial<z.infer<typeof Complaint>['error']> =>
  Complaint.safeParse(parsed(text)).data?.error ?? {};

function refusal({ status, retryAfter, text }: HttpAnswer, { model }: Call): Answer {
  const error = complaintOf(text);
  const word = String(error.code ?? error.type ?? '');
  const answered = `${status}${/^[\w.-]{1,60}$/.test(word) ? ` ${word}` : ''}`;
  if (/^content_(filter|policy)/.test(word)) return filtered(model);
  if (status === 429) {
    const retryAfterSeconds = Number(retryAfter ?? Number.NaN);
    const more = Number.isFinite(retryAfterSeconds) ? { retryAfterSeconds } : {};
    throw new ProviderError('provider_rate_limited', `The provider accepts no more calls now (${answered}).`, more);
  }
  if (status === 408) throw new ProviderError('timeout', `The provider gave up (${answered}).`);
  if (status >= 500) throw new ProviderError('provider_unavailable', `The provider is down (${answered}).`);
  throw new ProviderError('provider_invalid', `The provider refused the call (${answered}).`, { final: true });
}

const filtered = (model: string): Answer => ({
  message: { role: 'assistant', content: '', toolCalls: [] },
  finishReason: 'content_filter',
  usage: { inputTokens: 0, outputTokens: 0 },
  model,
});

function parsed(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return undefined;
  }
}

function answerOf(text: string, { prompt, model }: Call): Answer {
  const reply = Reply.safeParse(parsed(text)).data;
  const [choice] = reply?.choices ?? [];
  if (!reply || !choice) throw unusableAnswer('something that is no chat completion');
  const content = choice.message.content ?? '';
  const usage = {
    inputTokens: reply.usage?.prompt_tokens ?? guess(prompt),
    outputTokens: reply.usage?.completion_tokens ?? guess(choice.message),
  };
  const toolCalls = (choice.message.tool_calls ?? []).map(({ id, function: called }) => ({
    id,
    name: called.name,
    arguments: objectOf(parsed(called.arguments === '' ? '{}' : called.arguments), usage),
  }));
  const usual = toolCalls.length > 0 ? 'tool_calls' : 'stop';
  const answer = Answer.safeParse({
    message: { role: 'assistant', content, toolCalls },
    finishReason: FINISHES[choice.finish_reason ?? ''] ?? usual,
    usage,
    model: reply.model ?? model,
  });
  if (!answer.success) throw unusableAnswer('a message that cannot be used', usage);
  return answer.data;
}

/** Some servers count no tokens: a token has about four bytes. */
const guess = (value: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);
