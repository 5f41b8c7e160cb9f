import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApexLLMCompletionResult } from '#shared/apex/llm-completion.ts';
import { type Asked, conversed, type LlmServer, type Reply, startLlmServer } from '../../../support/llm-server.ts';
import { type Appliance, newAppliance, startWithProvider } from './world.ts';

let server: LlmServer;
let world: Awaited<ReturnType<typeof startWithProvider>>;
let appliance: Appliance;

beforeAll(async () => {
  server = await startLlmServer('bedrock');
  world = await startWithProvider({
    LLM_BASE_URL: undefined,
    LLM_SECRET: undefined,
    LLM_MODEL: 'eu.anthropic.test-v1:0',
    BEDROCK_ENDPOINT: server.url,
    LLM_TIMEOUT_SECONDS: '2',
  });
  appliance = await newAppliance(world.system);
});
afterAll(async () => {
  await world.local.stop();
  await server.stop();
});

const tools = [{ name: 'scan', description: 'Scans a port', inputSchema: { type: 'object' } }];
const toolCall = { id: 'tooluse_1', name: 'scan', arguments: { port: 443 } };

describe('Converse', () => {
  test('gives the same answer as any other provider', async () => {
    server.answer(() => conversed([{ text: 'Only ' }, { text: 'port 443.' }]));
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is exposed?' },
    ];
    expect(await appliance.ask({ messages, stop: ['END'], temperature: 0, maxTokens: 64 })).toMatchObject({
      status: 'succeeded',
      message: { role: 'assistant', content: 'Only port 443.', toolCalls: [] },
      finishReason: 'stop',
      usage: { inputTokens: 21, outputTokens: 9 },
      model: 'eu.anthropic.test-v1:0',
    });
    expect(server.asked).toEqual([
      {
        path: '/model/eu.anthropic.test-v1%3A0/converse',
        authorization: expect.stringContaining('AWS4-HMAC-SHA256'),
        body: {
          system: [{ text: 'Be brief.' }],
          messages: [{ role: 'user', content: [{ text: 'What is exposed?' }] }],
          inferenceConfig: { maxTokens: 64, temperature: 0, stopSequences: ['END'] },
        },
      },
    ]);
  });

  test('takes tools, what they answered, images and a JSON Schema, in turns that alternate', async () => {
    const use = { toolUse: { toolUseId: 'tooluse_1', name: 'scan', input: { port: 443 } } };
    server.answer(() => conversed([use], 'tool_use'));
    const first = await appliance.ask({ tools, toolChoice: 'required' });
    expect(first).toMatchObject({ finishReason: 'tool_calls', message: { toolCalls: [toolCall] } });
    expect(server.asked[0]?.body.toolConfig).toEqual({
      tools: [{ toolSpec: { name: 'scan', description: 'Scans a port', inputSchema: { json: { type: 'object' } } } }],
      toolChoice: { any: {} },
    });
    server.answer(() => conversed([{ text: '{"open":true}' }]));
    const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' };
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'Look.' }, image] },
      { role: 'assistant', content: '', toolCalls: [toolCall] },
      { role: 'tool', content: 'open', toolCallId: 'tooluse_1' },
      { role: 'user', content: 'And?' },
    ];
    await appliance.ask({ tools, toolChoice: 'none', messages, responseFormat: { jsonSchema: { type: 'object' } } });
    expect(server.asked[0]?.body).toMatchObject({
      messages: [
        { role: 'user', content: [{ text: 'Look.' }, { image: { format: 'png', source: { bytes: image.data } } }] },
        { role: 'assistant', content: [use] },
        {
          role: 'user',
          content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'open' }] } }, { text: 'And?' }],
        },
      ],
      toolConfig: { toolChoice: { auto: {} } },
      outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema: { schema: '{"type":"object"}' } } } },
    });
  });

  test.each([
    ['max_tokens', 'length'],
    ['guardrail_intervened', 'content_filter'],
    ['content_filtered', 'content_filter'],
  ])('%s is answered as %s', async (stopReason, finishReason) => {
    server.answer(() => conversed([{ text: 'x' }], stopReason));
    expect(await appliance.ask()).toMatchObject({ status: 'succeeded', finishReason });
  });
});

const refused = (status: number, type: string): Reply => ({
  status,
  headers: { 'x-amzn-errortype': type },
  body: { message: 'your hunter2' },
});

describe('a failure of Bedrock ends with a reason after a bounded number of attempts', () => {
  const failures: [string, Reply, string, number][] = [
    ['it is over its limit', refused(429, 'ThrottlingException'), 'provider_rate_limited', 3],
    ['it is down', refused(503, 'ServiceUnavailableException'), 'provider_unavailable', 3],
    ['its model is slow', refused(408, 'ModelTimeoutException'), 'timeout', 3],
    ['it hangs', 'hang', 'timeout', 3],
    ['it answers garbage', { body: '<html>' }, 'provider_invalid', 3],
    ['it answers nothing', { body: {} }, 'provider_invalid', 3],
    ['it refuses the call', refused(400, 'ValidationException'), 'provider_invalid', 1],
    ['the model is not allowed', refused(403, 'AccessDeniedException'), 'provider_invalid', 1],
  ];
  let asked: Asked[];
  let results: ApexLLMCompletionResult[];
  const wordOf = ({ body }: Asked) => body.messages[0].content[0].text;
  // All at once, told apart by their prompts: each takes seconds.
  beforeAll(async () => {
    server.answer((one) => failures.find(([name]) => name === wordOf(one))?.[1] ?? 'hang');
    results = await Promise.all(failures.map(([content]) => appliance.ask({ messages: [{ role: 'user', content }] })));
    asked = [...server.asked];
  });

  test.each(failures)('%s', (name, _, code, tries) => {
    const result = results[failures.findIndex(([other]) => other === name)];
    expect(result).toMatchObject({ status: 'failed', error: { code, retryable: tries > 1 } });
    expect(result?.error?.message).not.toContain('hunter2');
    expect(asked.filter((one) => wordOf(one) === name)).toHaveLength(tries);
  });
});
