import { describe, expect, test } from 'vitest';
import { tokensLeft, usageOf } from '#shared/apex/budget.ts';
import { type Reply, said } from '../../../support/llm-server.ts';
import { server, withOpenAi, world } from './openai-world.ts';
import { newAppliance } from './world.ts';

withOpenAi();

/** The model's answer cost 30 tokens each time. */
const JSON_WANTED = { responseFormat: { jsonSchema: { type: 'object' } }, maxTokens: 600 };

const withTokens = (maxTokens: number) => newAppliance(world.system, { limits: { maxTokens, timeoutSeconds: null } });

describe('the tokens of each try are counted, so that retries cannot pass the limit', () => {
  test.each<[string, Reply, number]>([
    ['a text where JSON was asked for', said('Sure! Here it is'), 90],
    ['a server that is down', { status: 503, body: 'no' }, 0],
  ])('%s', async (_, reply, cost) => {
    const poor = await withTokens(10_000);
    server.answer(() => reply);
    const { error, budget } = await poor.ask(JSON_WANTED);
    expect(error?.code).not.toBe('budget_exhausted');
    expect(server.asked).toHaveLength(3);
    expect(budget).toEqual({ tokensLeft: 10_000 - cost });
  });

  test('a rejected answer and then a good one', async () => {
    const poor = await withTokens(10_000);
    server.answer((_, n) => said(n === 1 ? 'no JSON' : '{}'));
    expect(await poor.ask(JSON_WANTED)).toMatchObject({ status: 'succeeded', budget: { tokensLeft: 9_940 } });
    const usage = await usageOf(poor.organization.table, { taskId: poor.task.id });
    expect(usage).toMatchObject({ inputTokens: 42, outputTokens: 18, calls: 2 });
  });

  test('an answer of endless brackets is no JSON', async () => {
    const poor = await withTokens(10_000);
    server.answer((_, n) => said(n === 1 ? '['.repeat(101) + ']'.repeat(101) : '{}'));
    expect(await poor.ask(JSON_WANTED)).toMatchObject({ status: 'succeeded', budget: { tokensLeft: 9_940 } });
  });

  test('an answer that never comes counts as its maximum', async () => {
    const poor = await withTokens(10_000);
    server.answer(() => 'hang');
    const { error } = await poor.ask({ maxTokens: 600 });
    expect(error?.code).toBe('timeout');
    const left = await tokensLeft(poor.organization.table, poor.task.id);
    expect(10_000 - left).toBeGreaterThanOrEqual(3 * 600);
  });

  test('no try begins that the limit has no tokens for', async () => {
    const poor = await withTokens(700);
    const costly = { prompt_tokens: 50, completion_tokens: 600 };
    const reply = said('no JSON') as { body: object };
    server.answer(() => ({ body: { ...reply.body, usage: costly } }));
    const { error, budget } = await poor.ask(JSON_WANTED);
    expect(error).toMatchObject({ code: 'budget_exhausted', retryable: false });
    expect(server.asked).toHaveLength(1);
    expect(budget).toEqual({ tokensLeft: 50 });
  });
});
