import { afterEach, expect, onTestFinished, test } from 'vitest';
import { startLlmServer } from '../../../support/llm-server.ts';
import { newAppliance, startWithProvider } from './world.ts';

let world: Awaited<ReturnType<typeof startWithProvider>>;
afterEach(() => world.local.stop());

test('without a provider an appliance is refused at once, and no budget changes', async () => {
  world = await startWithProvider({ LLM_BASE_URL: undefined, LLM_MODEL: undefined });
  const appliance = await newAppliance(world.system);
  expect(await appliance.ask()).toMatchObject({
    status: 'failed',
    error: { code: 'provider_unavailable', message: expect.stringContaining('LLM_MODEL'), retryable: false },
    budget: { tokensLeft: 50_000_000 },
  });
});

test('a missing key of the provider is reported, and no call is made without it', async () => {
  const server = await startLlmServer('openai');
  onTestFinished(() => server.stop());
  world = await startWithProvider({ LLM_BASE_URL: server.url, LLM_MODEL: 'm', LLM_SECRET: 'never-set' });
  const { error } = await (await newAppliance(world.system)).ask();
  expect(error).toMatchObject({ code: 'provider_unavailable', retryable: false });
  expect(server.asked).toEqual([]);
});
