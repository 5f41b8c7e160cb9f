import * as z from 'zod';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';

/** Names of configured models: appliances stay the same when the provider changes. */
const MODEL_ALIASES = ['default', 'fast', 'strong'] as const;
export type ModelAlias = (typeof MODEL_ALIASES)[number];

const Name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -');

/** A call of a tool by the model. The caller runs the tool and answers in a message of the role `tool`. */
const ToolCall = z.object({
  id: z.string().min(1).max(200),
  name: Name,
  arguments: z.record(z.string(), z.unknown()),
});

const ContentPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().max(1_000_000) }),
  z.object({
    type: z.literal('image'),
    mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.base64().min(1).meta({ description: 'base64' }),
  }),
]);
export type ContentPart = z.infer<typeof ContentPart>;

export const Message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.union([z.string().max(1_000_000), z.array(ContentPart).max(50)]),
  toolCalls: z.array(ToolCall).max(100).optional(),
  toolCallId: z.string().max(200).optional().meta({ description: 'role `tool`: the id of the answered call' }),
});
export type Message = z.infer<typeof Message>;

const JsonSchema = z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema' });

/** A question of an appliance to a model. */
export const ApexLLMCompletionRequest = objectNamed('ApexLLMCompletionRequest', {
  taskId: Id.meta({ description: 'the task of the call; the caller must hold it' }),
  idempotencyKey: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'a request with the same key gets the same requestID' }),
  model: z.enum(MODEL_ALIASES).default('default'),
  messages: z
    .array(Message)
    .min(1)
    .max(500)
    .meta({ example: [{ role: 'user', content: 'Which of these services is the most exposed?' }] }),
  tools: z
    .array(z.object({ name: Name, description: z.string().max(10_000).optional(), inputSchema: JsonSchema }))
    .max(100)
    .default([]),
  toolChoice: z.union([z.enum(['auto', 'none', 'required']), z.object({ name: Name })]).default('auto'),
  responseFormat: z.union([z.literal('text'), z.object({ jsonSchema: JsonSchema })]).default('text'),
  maxTokens: z.int().min(1).max(64_000).default(4096),
  temperature: z.number().min(0).max(2).optional(),
  stop: z.array(z.string().min(1).max(200)).max(4).default([]),
});
export type ApexLLMCompletionRequest = z.output<typeof ApexLLMCompletionRequest>;

/** The part of a request that the provider gets. */
export const Prompt = ApexLLMCompletionRequest.omit({ taskId: true, idempotencyKey: true });
export type Prompt = z.output<typeof Prompt>;

export const ApexLLMCompletionAccepted = z
  .object({ requestID: Id, status: z.literal('queued'), expiresAt: Timestamp })
  .meta({ id: 'ApexLLMCompletionAccepted' });

const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter'] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];

export const COMPLETION_ERRORS = [
  'budget_exhausted',
  'provider_unavailable',
  'provider_rate_limited',
  'provider_invalid',
  'timeout',
] as const;
export type CompletionErrorCode = (typeof COMPLETION_ERRORS)[number];

/** The answer of a model. */
export const Answer = z.object({
  message: z.object({ role: z.literal('assistant'), content: z.string(), toolCalls: z.array(ToolCall) }),
  finishReason: z.enum(FINISH_REASONS),
  usage: z.object({ inputTokens: z.int().nonnegative(), outputTokens: z.int().nonnegative() }),
  model: z.string(),
});
export type Answer = z.infer<typeof Answer>;

export const ApexLLMCompletionResult = objectNamed('ApexLLMCompletionResult', {
  requestID: Id,
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  message: Answer.shape.message.optional(),
  finishReason: Answer.shape.finishReason.optional(),
  usage: Answer.shape.usage.optional(),
  budget: z.object({ tokensLeft: z.int().nonnegative() }).optional(),
  model: Answer.shape.model.optional().meta({ description: 'the real name of the model' }),
  error: z
    .object({ code: z.enum(COMPLETION_ERRORS), message: z.string(), retryable: z.boolean() })
    .optional()
    .meta({ description: '`retryable`: another request with another key may succeed' }),
  expiresAt: Timestamp,
});
export type ApexLLMCompletionResult = z.infer<typeof ApexLLMCompletionResult>;
