import type { ModelAlias } from '#shared/apex/llm-completion.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Settings } from '#shared/platform/runtime/env.ts';
import { isUnsetSecret } from '#shared/platform/runtime/secrets.ts';
import { bedrock } from './bedrock.ts';
import { openAi } from './openai.ts';
import { type Provider, ProviderError } from './provider.ts';

export type Configured = { provider: Provider; modelOf: (alias: ModelAlias) => string };

/** The provider of this deployment; undefined when none is configured. */
export function configuredProvider({
  settings,
  secrets,
}: Pick<Connections, 'settings' | 'secrets'>): Configured | undefined {
  const { LLM_MODEL, LLM_MODEL_FAST = LLM_MODEL, LLM_MODEL_STRONG = LLM_MODEL, LLM_BASE_URL } = settings;
  if (LLM_MODEL === undefined) return undefined;
  const models = { default: LLM_MODEL, fast: LLM_MODEL_FAST ?? LLM_MODEL, strong: LLM_MODEL_STRONG ?? LLM_MODEL };
  const apiKey = () => keyOf(settings, secrets);
  const provider = LLM_BASE_URL === undefined ? bedrock(settings) : openAi(LLM_BASE_URL, apiKey);
  return { provider, modelOf: (alias) => models[alias] };
}

async function keyOf({ LLM_SECRET }: Settings, secrets: Connections['secrets']): Promise<string | undefined> {
  if (LLM_SECRET === undefined) return undefined;
  try {
    return await secrets.get(LLM_SECRET);
  } catch (error) {
    if (!isUnsetSecret(error)) throw error;
    throw new ProviderError('provider_unavailable', "The provider's key was not set (LLM_SECRET).", { final: true });
  }
}
