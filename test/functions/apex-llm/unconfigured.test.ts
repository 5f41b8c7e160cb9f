import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAppliance, startWithProvider } from './world.ts';

let world: Awaited<ReturnType<typeof startWithProvider>>;
beforeAll(async () => {
  world = await startWithProvider({ LLM_BASE_URL: undefined, LLM_MODEL: undefined });
});
afterAll(() => world.local.stop());

test('without a provider an appliance is told so at once, and no budget is touched', async () => {
  const appliance = await newAppliance(world.system);
  expect(await appliance.ask()).toMatchObject({
    status: 'failed',
    error: { code: 'provider_unavailable', message: expect.stringContaining('LLM_MODEL'), retryable: false },
    budget: { tokensLeft: 50_000_000 },
  });
});
