import type {
  BedrockRuntimeClient,
  ContentBlock,
  ConverseCommandInput,
  ConverseCommandOutput,
  ImageFormat,
  ToolChoice,
  Message as WireMessage,
} from '@aws-sdk/client-bedrock-runtime';
import { Answer, type ContentPart, type FinishReason, type Message, type Prompt } from '#shared/apex/llm-completion.ts';
import type { Settings } from '#shared/platform/runtime/env.ts';
import { objectOf, type Provider, ProviderError, unusableAnswer } from './provider.ts';

/** Amazon Bedrock's Converse interface, the same for every model there. */
export function bedrock({ BEDROCK_ENDPOINT: endpoint }: Settings): Provider {
  let opened: Promise<BedrockRuntimeClient> | undefined;
  const client = () => {
    // the worker itself retries, within its time limit
    opened ??= import('@aws-sdk/client-bedrock-runtime').then(
      (sdk) => new sdk.BedrockRuntimeClient({ maxAttempts: 1, ...(endpoint && { endpoint }) }),
    );
    return opened;
  };
  return async ({ prompt, model, signal }) => {
    const { ConverseCommand } = await import('@aws-sdk/client-bedrock-runtime');
    try {
      const command = new ConverseCommand(converseInput(prompt, model));
      return answerOf(await (await client()).send(command, { abortSignal: signal }), model);
    } catch (error) {
      throw error instanceof ProviderError ? error : failureOf(error, signal);
    }
  };
}

function converseInput(prompt: Prompt, modelId: string): ConverseCommandInput {
  const { messages, maxTokens, temperature, stop, responseFormat } = prompt;
  const system = messages.filter(({ role }) => role === 'system').flatMap(({ content }) => textsOf(content));
  const tools = toolsOf(prompt);
  return {
    modelId,
    messages: turnsOf(messages),
    ...(system.length > 0 && { system: system.map((text) => ({ text })) }),
    inferenceConfig: {
      maxTokens,
      ...(temperature !== undefined && { temperature }),
      ...(stop.length > 0 && { stopSequences: stop }),
    },
    ...(tools && { toolConfig: tools }),
    ...(responseFormat !== 'text' && {
      outputConfig: {
        textFormat: {
          type: 'json_schema',
          structure: { jsonSchema: { name: 'answer', schema: JSON.stringify(responseFormat.jsonSchema) } },
        },
      },
    }),
  };
}

/** Converse requires alternating turns; answers of tools count as the user's. */
function turnsOf(messages: readonly Message[]): WireMessage[] {
  const turns: { role: 'user' | 'assistant'; content: ContentBlock[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocksOf(message));
    else turns.push({ role, content: blocksOf(message) });
  }
  return turns;
}

function blocksOf({ role, content, toolCalls = [], toolCallId }: Message): ContentBlock[] {
  if (role === 'tool')
    return [{ toolResult: { toolUseId: toolCallId ?? '', content: textsOf(content).map((text) => ({ text })) } }];
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  // Converse refuses an empty text
  const said = parts.filter((part) => part.type !== 'text' || part.text !== '').map(partOf);
  const uses = toolCalls.map(({ id, name, arguments: input }) => ({
    toolUse: { toolUseId: id, name, input: document(input) },
  }));
  return [...said, ...uses];
}

/** Converts a value to the narrower JSON type of the SDK. */
const document = (value: unknown) => JSON.parse(JSON.stringify(value));

const IMAGE_FORMATS: Record<string, ImageFormat> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

const partOf = (part: ContentPart): ContentBlock =>
  part.type === 'text'
    ? { text: part.text }
    : { image: { format: IMAGE_FORMATS[part.mediaType], source: { bytes: Buffer.from(part.data, 'base64') } } };

const textsOf = (content: Message['content']): string[] =>
  typeof content === 'string' ? [content] : content.flatMap((part) => (part.type === 'text' ? [part.text] : []));

/** Converse has no choice `none`: the request omits the tools, unless earlier turns used them and so need them. */
function toolsOf({ tools, toolChoice, messages }: Prompt): ConverseCommandInput['toolConfig'] {
  const hasCalls = messages.some(({ toolCalls = [] }) => toolCalls.length > 0);
  if (tools.length === 0 || (toolChoice === 'none' && !hasCalls)) return undefined;
  const declared = tools.map(({ name, description, inputSchema: json }) => ({
    toolSpec: { name, ...(description && { description }), inputSchema: { json: document(json) } },
  }));
  return { tools: declared, toolChoice: choiceOf(toolChoice) };
}

function choiceOf(choice: Prompt['toolChoice']): ToolChoice {
  if (typeof choice !== 'string') return { tool: { name: choice.name } };
  return choice === 'required' ? { any: {} } : { auto: {} };
}

const FINISHES: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
};

function answerOf({ output, stopReason, usage: reported }: ConverseCommandOutput, model: string): Answer {
  const usage = { inputTokens: reported?.inputTokens ?? 0, outputTokens: reported?.outputTokens ?? 0 };
  const cost = reported ? usage : 'unknown';
  const blocks = output?.message?.content;
  const finishReason = FINISHES[stopReason ?? ''];
  if (!blocks || !finishReason) throw unusableAnswer('something that is no message', cost);
  const answer = Answer.safeParse({
    message: {
      role: 'assistant',
      content: blocks.map(({ text }) => text ?? '').join(''),
      toolCalls: blocks.flatMap(({ toolUse }) =>
        toolUse ? [{ id: toolUse.toolUseId, name: toolUse.name, arguments: objectOf(toolUse.input ?? {}, cost) }] : [],
      ),
    },
    finishReason,
    usage,
    model,
  });
  if (!answer.success) throw unusableAnswer('a message that cannot be used', cost);
  return answer.data;
}

const RATE_LIMITED = ['ThrottlingException', 'ServiceQuotaExceededException', 'TooManyRequestsException'];
const REFUSED = ['ValidationException', 'AccessDeniedException', 'ResourceNotFoundException', 'ModelErrorException'];

/** Uses only the name of the error: its message may quote the prompt. */
function failureOf(error: unknown, signal: AbortSignal): ProviderError {
  const name = error instanceof Error ? error.name : 'Error';
  if (signal.aborted || name === 'ModelTimeoutException' || name === 'TimeoutError')
    return new ProviderError('timeout', 'The provider did not answer in time.', { cost: 'unknown' });
  if (RATE_LIMITED.includes(name))
    return new ProviderError('provider_rate_limited', `The provider accepts no more calls now (${name}).`);
  if (REFUSED.includes(name))
    return new ProviderError('provider_invalid', `The provider refused the call (${name}).`, { final: true });
  if (name === 'SyntaxError') return unusableAnswer('something that is no JSON');
  return new ProviderError('provider_unavailable', `The provider is down (${name}).`);
}
