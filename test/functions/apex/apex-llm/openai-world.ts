import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type LlmServer, startLlmServer } from '../../../support/llm-server.ts';
import { type Appliance, newAppliance, startWithProvider } from './world.ts';

export let server: LlmServer;
export let world: Awaited<ReturnType<typeof startWithProvider>>;
export let appliance: Appliance;

/** For the tests of a file a system whose provider speaks OpenAI's protocol; for each an appliance that holds a task. */
export function withOpenAi(): void {
  beforeAll(async () => {
    server = await startLlmServer('openai');
    world = await startWithProvider({
      LLM_BASE_URL: `${server.url}/v1`,
      LLM_MODEL: 'test-model',
      LLM_MODEL_FAST: 'test-small',
      LLM_MODEL_STRONG: 'test-newer',
      LLM_SECRET: 'llm-key',
      LLM_TIMEOUT_SECONDS: '2',
    });
  });
  beforeEach(async () => {
    appliance = await newAppliance(world.system);
  });
  afterAll(async () => {
    await world.local.stop();
    await server.stop();
  });
}
