import { beforeAll, describe, expect, test } from 'vitest';
import { usageOf } from '#shared/apex/budget.ts';
import type { ApexLLMCompletionResult } from '#shared/apex/llm-completion.ts';
import { type Asked, type Reply, said } from '../../../support/llm-server.ts';
import { appliance, server, withOpenAi, world } from './openai-world.ts';
import { newAppliance } from './world.ts';

withOpenAi();

describe('an appliance asks a model', () => {
  test('and reads the answer, its cost and the rest of the budget', async () => {
    const bounded = await newAppliance(world.system, { limits: { maxTokens: 10_000, timeoutSeconds: null } });
    server.answer(() => said('Only port 443.'));
    const accepted = await bounded.submit({ model: 'fast', temperature: 0.2, stop: ['END'], maxTokens: 100 });
    expect(accepted).toEqual({ requestID: expect.any(String), status: 'queued', expiresAt: expect.any(String) });
    expect(await bounded.read(accepted.requestID)).toEqual({
      requestID: accepted.requestID,
      status: 'succeeded',
      message: { role: 'assistant', content: 'Only port 443.', toolCalls: [] },
      finishReason: 'stop',
      usage: { inputTokens: 21, outputTokens: 9 },
      budget: { tokensLeft: 9970 },
      model: 'test-model-2026',
      expiresAt: accepted.expiresAt,
    });
    expect(server.asked).toEqual([
      {
        path: '/v1/chat/completions',
        authorization: 'Bearer sk-test',
        body: {
          model: 'test-small',
          messages: [{ role: 'user', content: 'What is exposed?' }],
          max_tokens: 100,
          temperature: 0.2,
          stop: ['END'],
        },
      },
    ]);
    expect(await usageOf(bounded.organization.table, { taskId: bounded.task.id })).toMatchObject({
      inputTokens: 21,
      outputTokens: 9,
      calls: 1,
    });
  });

  test('tool calls and their results go both ways', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'scan', arguments: '{"port":443}' } };
    server.answer(() => said(null, { tool_calls: [call] }, 'tool_calls'));
    const tools = [{ name: 'scan', description: 'Scans a port', inputSchema: { type: 'object' } }];
    const result = await appliance.ask({ tools, toolChoice: { name: 'scan' } });
    const toolCall = { id: 'call_1', name: 'scan', arguments: { port: 443 } };
    expect(result).toMatchObject({ finishReason: 'tool_calls', message: { content: '', toolCalls: [toolCall] } });
    expect(server.asked[0]?.body).toMatchObject({
      tools: [{ type: 'function', function: { name: 'scan', parameters: { type: 'object' } } }],
      tool_choice: { type: 'function', function: { name: 'scan' } },
    });
    server.answer(() => said('Open.'));
    const messages = [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: '', toolCalls: [toolCall] },
      { role: 'tool', content: 'open', toolCallId: 'call_1' },
    ];
    await appliance.ask({ tools, messages });
    expect(server.asked[0]?.body.messages).toEqual([
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', content: 'open', tool_call_id: 'call_1' },
    ]);
  });

  test('an answer after a JSON Schema is JSON, and an image arrives', async () => {
    server.answer(() => said('{"ports":[443]}'));
    const jsonSchema = { type: 'object', properties: { ports: { type: 'array' } } };
    const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' };
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Read it.' }, image] }];
    const result = await appliance.ask({ responseFormat: { jsonSchema }, messages });
    expect(JSON.parse(result.message?.content ?? '')).toEqual({ ports: [443] });
    expect(server.asked[0]?.body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: jsonSchema } },
      messages: [{ content: [{ type: 'text' }, { image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] }],
    });
  });

  test.each([
    ['length', said('cut', {}, 'length'), 'length'],
    ['content_filter', said('', {}, 'content_filter'), 'content_filter'],
    ['a refused prompt', { status: 400, body: { error: { code: 'content_filter' } } }, 'content_filter'],
  ])('%s ends as a finished result that names the reason', async (_, reply, finishReason) => {
    server.answer(() => reply);
    expect(await appliance.ask()).toMatchObject({ status: 'succeeded', finishReason });
    expect(server.asked).toHaveLength(1);
  });

  test('a model that takes its limit only by the newer name gets it', async () => {
    const complaint = { error: { code: 'unsupported_parameter', param: 'max_tokens' } };
    server.answer(({ body }) => ('max_tokens' in body ? { status: 400, body: complaint } : said('Newer.')));
    const ask = () => appliance.ask({ model: 'strong', maxTokens: 50 });
    expect((await ask()).message?.content).toBe('Newer.');
    expect(server.asked.map(({ body }) => body.max_completion_tokens)).toEqual([undefined, 50]);
    await ask();
    expect(server.asked).toHaveLength(3);
  });

  test('the same key is the same completion, and the provider is called once', async () => {
    server.answer(() => said('Once.'));
    const [first, second] = await Promise.all([1, 2].map(() => appliance.submit({ idempotencyKey: 'k' })));
    expect(first?.requestID).toBe(second?.requestID);
    await appliance.read(first?.requestID ?? '');
    const again = await appliance.submit({ idempotencyKey: 'k' });
    expect(again.requestID).toBe(first?.requestID);
    expect((await appliance.read(again.requestID)).message?.content).toBe('Once.');
    expect((await appliance.submit({ idempotencyKey: 'l' })).requestID).not.toBe(again.requestID);
    expect(server.asked.length).toBeLessThanOrEqual(2);
  });
});

describe('a failure of the provider ends with a reason after a bounded number of attempts', () => {
  const busy = { status: 429, headers: { 'retry-after': '1' }, body: { error: { code: 'rate_limit_exceeded' } } };
  const tool = { id: 'c', type: 'function', function: { name: 'scan', arguments: '[1' } };
  const failures: [string, Reply, string, number][] = [
    ['it is over its limit', busy, 'provider_rate_limited', 3],
    ['it asks for a long pause', { ...busy, headers: { 'retry-after': '3600' } }, 'provider_rate_limited', 1],
    ['it is down', { status: 503, body: 'no' }, 'provider_unavailable', 3],
    ['it hangs up', 'hang up', 'provider_unavailable', 3],
    ['it hangs', 'hang', 'timeout', 3],
    ['it answers garbage', { body: '<html>' }, 'provider_invalid', 3],
    ['it answers something else', { body: { choices: [] } }, 'provider_invalid', 3],
    ['its tool calls are broken', said(null, { tool_calls: [tool] }), 'provider_invalid', 3],
  ];
  let asked: Asked[];
  let results: ApexLLMCompletionResult[];
  // All at once, told apart by their prompts: each takes seconds.
  beforeAll(async () => {
    const { ask } = await newAppliance(world.system);
    const wordOf = ({ body }: Asked) => body.messages[0].content;
    server.answer((one) => failures.find(([name]) => name === wordOf(one))?.[1] ?? 'hang');
    results = await Promise.all(failures.map(([content]) => ask({ messages: [{ role: 'user', content }] })));
    asked = [...server.asked];
  });

  test.each(failures)('%s', (name, _, code, tries) => {
    const result = results[failures.findIndex(([other]) => other === name)];
    expect(result).toMatchObject({
      status: 'failed',
      error: { code, retryable: true },
      budget: { tokensLeft: expect.any(Number) },
    });
    expect(result?.message).toBeUndefined();
    expect(asked.filter(({ body }) => body.messages[0].content === name)).toHaveLength(tries);
  });

  test('a failed call costs no tokens', async () => {
    const spent = await newAppliance(world.system);
    server.answer(() => ({ status: 400, body: {} }));
    expect((await spent.ask()).budget).toEqual({ tokensLeft: 50_000_000 });
  });

  test('text where JSON was asked for', async () => {
    server.answer(() => said('Sure! Here it is'));
    const result = await appliance.ask({ responseFormat: { jsonSchema: { type: 'object' } } });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'provider_invalid' } });
  });

  test("a refused call is not repeated, and the provider's message is not passed on", async () => {
    server.answer(() => ({
      status: 400,
      body: { error: { code: 'context_length_exceeded', message: 'your hunter2' } },
    }));
    const { error } = await appliance.ask();
    expect(error).toEqual({
      code: 'provider_invalid',
      message: 'The provider refused the call (400 context_length_exceeded).',
      retryable: false,
    });
    expect(server.asked).toHaveLength(1);
  });

  test('a provider that recovers gives an answer', async () => {
    server.answer((_, n) => (n === 1 ? { status: 500, body: {} } : said('Back.')));
    expect(await appliance.ask()).toMatchObject({ status: 'succeeded', message: { content: 'Back.' } });
  });
});
